import { suggestName } from "../../src/values/closest-name.ts";
import type { Engine } from "../api/engine.ts";
import { decodeSegment, type IncomingRequest, splitAddress } from "../http/request.ts";
import type { EncodedResponse } from "../http/response.ts";
import { CONTROL_PATH } from "./client.ts";
import type { ControlContext, ControlRequest, ControlRoute } from "./route.ts";
import { routes } from "./routes.ts";

/** The largest request body that the control API reads, in bytes. */
export const MAX_CONTROL_BYTES: number = 64 * 1024 * 1024;

/** The `error` of a 401 without the right password. Has its own code, because the service also responds with 401. */
export const PASSWORD_REQUIRED = "PasswordRequired";

interface CompiledRoute {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly route: ControlRoute<ControlRequest>;
}

const compiled = Object.entries<ControlRoute>(routes).map(([key, route]): CompiledRoute => {
  const [method = "", path = ""] = key.split(" ");
  return { method, path, route, pattern: new RegExp(`^${path.replace("{id}", "(?<id>[^/]+)")}/?$`) };
});

/** The control API of one mock, as a function from a request to a response. It runs in every environment. */
export class Control {
  readonly #context: Omit<ControlContext, "signal">;
  readonly #stopping: AbortSignal | undefined;

  /** @param stopping Aborted when waiting requests must end. */
  constructor(engine: Engine, stopping?: AbortSignal) {
    this.#context = { engine, mock: engine.mock };
    this.#stopping = stopping;
  }

  /** Responds to a request whose path is `/__mock` or below it. */
  async respond(request: IncomingRequest): Promise<EncodedResponse> {
    const { path, search } = splitAddress(request.url, []);
    const below = path.slice(CONTROL_PATH.length) || "/";
    if (below === "/" && /^(GET|HEAD)$/.test(request.method)) return json(200, index());
    const fitting = compiled.filter(({ pattern }) => pattern.test(below));
    const found = fitting.find(({ method }) => method === request.method);
    if (found) return this.#call(found, below, search, request);
    const known = compiled.map((each) => CONTROL_PATH + each.path);
    if (fitting.length === 0) return controlError(404, "NotFound", `Unknown path ${suggestName(path, known)}`);
    const allow = [...new Set(fitting.map(({ method }) => method))].join(", ");
    const detail = `${CONTROL_PATH}${below} allows only ${allow}.`;
    return controlError(405, "MethodNotAllowed", detail, { Allow: allow });
  }

  async #call(
    { route, pattern }: CompiledRoute,
    below: string,
    search: string,
    request: IncomingRequest,
  ): Promise<EncodedResponse> {
    const signal = this.#stopping ? AbortSignal.any([request.signal, this.#stopping]) : request.signal;
    try {
      const id = decodeSegment(pattern.exec(below)?.groups?.["id"] ?? "");
      const query = readQuery(search, route);
      const bytes = request.method === "GET" || request.body === null ? new Uint8Array() : await request.arrayBuffer();
      if (bytes.byteLength > MAX_CONTROL_BYTES) {
        return controlError(413, "BodyTooLarge", `The body must not exceed ${MAX_CONTROL_BYTES} bytes.`);
      }
      const body = parseBody(request.method, decoder.decode(bytes));
      const result: unknown = await route.handle({ id, query, body }, { ...this.#context, signal });
      return resultResponse(route, result, id);
    } catch (error) {
      return failureResponse(error);
    }
  }
}

function resultResponse({ optional, status }: ControlRoute, value: unknown, id: string): EncodedResponse {
  if (value === false || (value === undefined && optional)) {
    return controlError(404, "NotFound", id ? `Unknown id "${id}".` : "Not found.");
  }
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

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses a body. PUT requires one: `curl` sends an empty one if it does not find the file. */
function parseBody(method: string, text: string): object {
  if (text.trim() === "") {
    if (method !== "PUT") return {};
    throw new TypeError("The body is empty; it must be a JSON object. Send `{}` for the defaults.");
  }
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new TypeError("The body must be a JSON object.");
}

function failureResponse(error: unknown): EncodedResponse {
  const { message } = error as Error;
  if (error instanceof SyntaxError) return controlError(400, "InvalidJson", `The body is not valid JSON: ${message}`);
  if (error instanceof TypeError) return controlError(400, "InvalidInput", message);
  return controlError(500, "MockFailure", message);
}

/** Lists every route, for people who explore the API with curl. */
function index(): object {
  return {
    routes: compiled.map(({ method, path, route: { summary, query, body, example } }) => {
      return { method, path: CONTROL_PATH + path, summary, query, body, example };
    }),
  };
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;

/** Creates an error response: `error` is a code that does not change, `detail` a message for people. */
export function controlError(
  status: number,
  error: string,
  detail: string,
  more?: EncodedResponse["headers"],
): EncodedResponse {
  return json(status, { error, detail }, more);
}

function json(status: number, value: unknown, more?: EncodedResponse["headers"]): EncodedResponse {
  return { status, headers: { ...HEADERS, "Content-Type": "application/json", ...more }, body: JSON.stringify(value) };
}
