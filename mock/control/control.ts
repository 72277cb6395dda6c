import { suggestName } from "../../src/values/describe.ts";
import type { Engine } from "../api/engine.ts";
import { decodeSegment, type EncodedResponse, type IncomingRequest, splitAddress } from "../http/messages.ts";
import { CONTROL_PATH } from "./client.ts";
import { type ControlRoute, routes } from "./routes.ts";

/** The largest request body that the control API reads, in bytes. */
export const MAX_CONTROL_BYTES: number = 10 * 1024 * 1024;

/** The `error` of a 401 without the right password. Has its own code, because the service also responds with 401. */
export const PASSWORD_REQUIRED = "PasswordRequired";

const compiled = Object.entries(routes).map(([key, route]) => {
  const [method = "", path = ""] = key.split(" ");
  return { method, path, route, pattern: new RegExp(`^${path.replace("{id}", "(?<id>[^/]+)")}/?$`) };
});

/** Responds to a request whose path is `/__mock` or below it. */
export async function respondToControl(request: IncomingRequest, engine: Engine): Promise<EncodedResponse> {
  const { path, search } = splitAddress(request.url, []);
  const below = path.slice(CONTROL_PATH.length) || "/";
  if (below === "/" && /^(GET|HEAD)$/.test(request.method)) return json(200, index());
  const found = compiled.find(({ method, pattern }) => method === request.method && pattern.test(below));
  if (!found) {
    const hint = suggestName(`${request.method} ${below}`, Object.keys(routes));
    return controlError(404, "NotFound", `Unknown route ${hint}`);
  }
  try {
    const { route, pattern } = found;
    const id = decodeSegment(pattern.exec(below)?.groups?.["id"] ?? "");
    const query = readQuery(search, route);
    const bytes = request.method === "GET" || request.body === null ? new Uint8Array() : await request.arrayBuffer();
    if (bytes.byteLength > MAX_CONTROL_BYTES) {
      return controlError(413, "BodyTooLarge", `The body must not exceed ${MAX_CONTROL_BYTES} bytes.`);
    }
    const body = parseBody(request.method, decoder.decode(bytes)) as never;
    const result = await route.handle({ id, query, body }, engine);
    if (result === false || (result === undefined && request.method === "GET")) {
      return controlError(404, "UnknownId", `Unknown id "${id}".`);
    }
    if (result === undefined || result === true) return { status: 204, headers: HEADERS, body: undefined };
    return json(route.status ?? 200, result);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof TypeError) return controlError(400, "InvalidInput", message);
    if (!(error instanceof SyntaxError)) throw error;
    return controlError(400, "InvalidJson", `The body is not valid JSON: ${message}`);
  }
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
