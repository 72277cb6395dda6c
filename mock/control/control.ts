import type { Engine } from "../engine/engine.ts";
import { splitAddress } from "../http/address.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import { ChangeWatch } from "./changes.ts";
import { ListPage } from "./list-page.ts";
import { find } from "./match.ts";
import { Receivers } from "./receivers.ts";
import { type ControlCall, type ControlRoute, NotFoundError } from "./route.ts";
import { CONTROL_PATH, controlRoutes } from "./routes.ts";
import { Snapshots } from "./snapshots.ts";

/** An answer of the control interface. */
export interface ControlAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an empty body. */
  readonly body: string | undefined;
}

/** The largest body that the control interface accepts, in bytes. */
export const MAX_CONTROL_BYTES: number = 64 * 1024 * 1024;

/** The control interface of one mock, as a function from a request to its answer. It runs everywhere. */
export class Control {
  readonly #around: Pick<ControlCall, "mock" | "snapshots" | "changes" | "receivers">;

  /** @param ending Aborted when nobody should wait for an answer any longer. */
  constructor(mock: Engine, ending?: AbortSignal) {
    const changes = new ChangeWatch(mock, ending);
    this.#around = { mock, changes, snapshots: new Snapshots(), receivers: new Receivers() };
  }

  /** Answers a request whose path is `/__mock` or below it. */
  async answer(request: IncomingRequest): Promise<ControlAnswer> {
    const { path, search } = splitAddress(request.url, []);
    const below = path.slice(CONTROL_PATH.length) || "/";
    if (below === "/") return json(200, index());
    const found = find(request.method, below);
    if ("route" in found) return this.#run(found.route, found.parameters, below, search, request);
    if (found.allow.length === 0) return failure(404, "NotFound", `There is no ${CONTROL_PATH}${below}.`);
    const answer = failure(405, "MethodNotAllowed", `${CONTROL_PATH}${below} takes ${found.allow.join(", ")}.`);
    return { ...answer, headers: { ...answer.headers, Allow: found.allow.join(", ") } };
  }

  async #run(
    route: ControlRoute,
    parameters: ControlCall["parameters"],
    below: string,
    search: string,
    request: IncomingRequest,
  ): Promise<ControlAnswer> {
    try {
      const query = readQuery(search, route);
      const body = await readBody(request);
      const call = { ...this.#around, parameters, query, body, signal: request.signal };
      const result = await route.run(call);
      return result instanceof ListPage ? listed(result, below, query) : outcome(route, result, parameters);
    } catch (error) {
      return refusal(error);
    }
  }
}

/** A page of a list, with the address of the next one in the header `Link` (RFC 8288). */
function listed({ items, next }: ListPage, below: string, query: ControlCall["query"]): ControlAnswer {
  const answer = json(200, items);
  if (next === undefined) return answer;
  const link = `<${CONTROL_PATH}${below}?${new URLSearchParams({ ...query, after: next })}>; rel="next"`;
  return { ...answer, headers: { ...answer.headers, Link: link } };
}

function outcome(
  { absent, status = 200 }: ControlRoute,
  value: unknown,
  { id }: ControlCall["parameters"],
): ControlAnswer {
  if (absent && value === absent.value)
    return failure(404, "NotFound", `There is none${id ? ` with the id "${id}"` : ""}.`);
  if (value === undefined || value === true) return { status: 204, headers: HEADERS, body: undefined };
  return json(status, value);
}

function readQuery(search: string, { query = [] }: ControlRoute): Record<string, string> {
  const given = Object.fromEntries(new URLSearchParams(search));
  const unknown = Object.keys(given).find((name) => !query.includes(name));
  if (unknown === undefined) return given;
  const known = query.length > 0 ? `there are ${query.join(", ")}` : "there are none here";
  throw new TypeError(`There is no query parameter "${unknown}"; ${known}.`);
}

async function readBody(request: IncomingRequest): Promise<Record<string, unknown>> {
  if (request.method === "GET" || request.body === null) return {};
  const text = await readText(request);
  if (text.trim() === "") return {};
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new TypeError("The body must be a JSON object.");
}

const decoder = new TextDecoder();

async function readText(request: IncomingRequest): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_CONTROL_BYTES) throw new TooLargeError();
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_CONTROL_BYTES) throw new TooLargeError();
  return decoder.decode(bytes);
}

class TooLargeError extends Error {
  override readonly message = `The body must not be larger than ${MAX_CONTROL_BYTES} bytes.`;
}

function refusal(error: unknown): ControlAnswer {
  const { message } = error as Error;
  if (error instanceof SyntaxError) return failure(400, "InvalidJson", `The body is not JSON: ${message}`);
  if (error instanceof NotFoundError) return failure(404, "NotFound", message);
  if (error instanceof TooLargeError) return failure(413, "BodyTooLarge", message);
  if (error instanceof TypeError) return failure(400, "InvalidInput", message);
  return failure(500, "MockFailure", message);
}

/** What there is, for somebody who looks with curl. */
function index(): object {
  return { routes: controlRoutes.map(({ method, path, does }) => ({ method, path: CONTROL_PATH + path, does })) };
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;

/** An error of the control interface: `error` is a fixed word, `detail` is for people. */
export function failure(status: number, error: string, detail: string): ControlAnswer {
  return json(status, { error, detail });
}

function json(status: number, value: unknown): ControlAnswer {
  return { status, headers: { ...HEADERS, "Content-Type": "application/json" }, body: JSON.stringify(value) };
}
