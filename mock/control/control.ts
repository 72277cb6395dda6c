import type { Engine } from "../engine/engine.ts";
import { type IncomingRequest, splitAddress } from "../http/request.ts";
import { inSlices } from "../time/in-slices.ts";
import { ChangeWatch } from "./change-watch.ts";
import { DeliveryReceivers } from "./delivery-receivers.ts";
import type { ControlContext } from "./handlers/handler.ts";
import { listJson } from "./list-json.ts";
import { ListPage } from "./list-page.ts";
import { type HandledRoute, matchRoute, type ReceivedRequest } from "./match-route.ts";
import { NotFoundError } from "./not-found-error.ts";
import { CONTROL_PATH, controlRoutes, namedRoutes } from "./routes/index.ts";
import type { ControlRoute } from "./routes/route.ts";
import { SnapshotStore } from "./snapshot-store.ts";

/** A response of the control API. */
export interface ControlResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an empty body. */
  readonly body: string | undefined;
}

/** The largest request body that the control API accepts, in bytes. */
export const MAX_CONTROL_BYTES: number = 64 * 1024 * 1024;

/** The control API of one mock, as a function from a request to a response. It runs in every environment. */
export class Control {
  readonly #context: Omit<ControlContext, "signal">;

  /** @param stopping Aborted when waiting requests must end. */
  constructor(mock: Engine, stopping?: AbortSignal) {
    const changes = new ChangeWatch(mock, stopping);
    this.#context = { mock, changes, snapshots: new SnapshotStore(), receivers: new DeliveryReceivers() };
  }

  /** Responds to a request whose path is `/__mock` or below it. */
  async respond(request: IncomingRequest): Promise<ControlResponse> {
    const { path, search } = splitAddress(request.url, []);
    const below = path.slice(CONTROL_PATH.length) || "/";
    if (below === "/") return json(200, index());
    const match = matchRoute(request.method, below);
    if ("found" in match) return this.#run(match.found, match.id, below, search, request);
    if (match.allow.length === 0) return controlError(404, "NotFound", `Unknown path ${CONTROL_PATH}${below}.`);
    const allow = match.allow.join(", ");
    const response = controlError(405, "MethodNotAllowed", `${CONTROL_PATH}${below} allows only ${allow}.`);
    return { ...response, headers: { ...response.headers, Allow: allow } };
  }

  async #run(
    { route, handle }: HandledRoute,
    id: string,
    below: string,
    search: string,
    request: IncomingRequest,
  ): Promise<ControlResponse> {
    try {
      const query = readQuery(search, route);
      const body = await readBody(request);
      const result = await handle({ id, query, body }, { ...this.#context, signal: request.signal });
      if (result instanceof ListPage) return await pageResponse(result, below, query);
      return Array.isArray(result) ? await listResponse(route, result) : resultResponse(route, result, id);
    } catch (error) {
      return failureResponse(error);
    }
  }
}

/** The number of characters after which a page ends, unless it has only one item. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Sends one page of a list, with the URL of the next one in the header `Link` (RFC 8288). */
async function pageResponse(
  page: ListPage<unknown>,
  below: string,
  query: ReceivedRequest["query"],
): Promise<ControlResponse> {
  const { json, count } = await inSlices(listJson(page.items, PAGE_CHARACTERS));
  const response = jsonResponse(200, json);
  const next = page.nextAfter(count);
  if (next === undefined) return response;
  const link = `<${CONTROL_PATH}${below}?${new URLSearchParams({ ...query, after: next })}>; rel="next"`;
  return { ...response, headers: { ...response.headers, Link: link } };
}

async function listResponse({ status }: ControlRoute, list: readonly unknown[]): Promise<ControlResponse> {
  return jsonResponse(status ?? 200, (await inSlices(listJson(list))).json);
}

function resultResponse({ absent, status }: ControlRoute, value: unknown, id: string): ControlResponse {
  if (absent && value === absent.value) return controlError(404, "NotFound", id ? `Unknown id "${id}".` : "Not found.");
  if (value === undefined || value === true) return { status: 204, headers: HEADERS, body: undefined };
  return json(status ?? 200, value);
}

function readQuery(search: string, { query = {} }: ControlRoute): Record<string, string> {
  const given = Object.fromEntries(new URLSearchParams(search));
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(query, name));
  if (unknown === undefined) return given;
  const known = Object.keys(query);
  const hint = known.length > 0 ? `Expected one of: ${known.join(", ")}.` : "This route has no query parameters.";
  throw new TypeError(`Unknown query parameter "${unknown}". ${hint}`);
}

async function readBody(request: IncomingRequest): Promise<object> {
  if (request.method === "GET" || request.body === null) return {};
  const text = await readText(request);
  if (text.trim() === "") return {};
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
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
  override readonly message = `The body must not exceed ${MAX_CONTROL_BYTES} bytes.`;
}

function failureResponse(error: unknown): ControlResponse {
  const { message } = error as Error;
  if (error instanceof SyntaxError) return controlError(400, "InvalidJson", `The body is not valid JSON: ${message}`);
  if (error instanceof NotFoundError) return controlError(404, "NotFound", message);
  if (error instanceof TooLargeError) return controlError(413, "BodyTooLarge", message);
  if (error instanceof TypeError) return controlError(400, "InvalidInput", message);
  return controlError(500, "MockFailure", message);
}

/** Lists every route, for people who explore the API with curl. */
function index(): object {
  return {
    openapi: `${CONTROL_PATH}${controlRoutes.mock.openapi.path}`,
    routes: namedRoutes.map(({ route: { method, path, summary } }) => ({ method, path: CONTROL_PATH + path, summary })),
  };
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;

/** Creates an error response: `error` is a code that does not change, `detail` a message for people. */
export function controlError(status: number, error: string, detail: string): ControlResponse {
  return json(status, { error, detail });
}

function json(status: number, value: unknown): ControlResponse {
  return jsonResponse(status, JSON.stringify(value));
}

function jsonResponse(status: number, body: string): ControlResponse {
  return { status, headers: { ...HEADERS, "Content-Type": "application/json" }, body };
}
