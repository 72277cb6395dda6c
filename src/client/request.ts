import type { Operation, OperationTypes, Schema } from "../contract/index.ts";
import { Checks, checkedJson } from "../errors/checks.ts";
import { describeValue } from "../values/describe.ts";
import { writtenBody } from "../values/json.ts";
import type { RequestOptions } from "./options.ts";

/** The request of a call, shared by all attempts. */
export interface PreparedRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** The serialized body; bytes once it is compressed. */
  body: string | Uint8Array<ArrayBuffer> | undefined;
  /** True if the request is idempotent; otherwise the reason why not. */
  readonly idempotent: true | string;
  /** The schema of a successful response; undefined if it is not checked. */
  readonly data: Schema | undefined;
  readonly failures: { readonly [status: number]: Schema | undefined };
  /** The valid names of call options. */
  readonly options: readonly string[];
}

/** Options of a client and of a call. */
export const SHARED_OPTIONS = ["timeout", "totalTimeout", "maxRetries", "maxResponseBytes", "headers"] as const;

/** Lists the options of a call. */
const CALL_OPTIONS = ["signal", ...SHARED_OPTIONS, "accessToken"] as const;

/** Prepares the request of an operation. */
export function prepareOperation<Types extends OperationTypes>(
  baseUrl: string,
  operation: Operation<Types>,
  parameters: OperationParameters<Types>,
): PreparedRequest {
  const { id, method } = operation;
  const check = new Checks({ operation: id });
  const given = { __proto__: null, ...parameters } as OperationParameters<Types>;
  const { path, query, body } = given;
  if (body === undefined && "body" in given) throw check.fail("body", "must be given");
  const url = baseUrl + appendQuery(check, fillPath(check, operation.path, path), query);
  const json = serialize(check, method, body);
  return {
    operation: id,
    method,
    url,
    body: json,
    // Reads what is sent: JSON leaves out inherited fields, for example. A body that the types do not allow is not repeated.
    get idempotent() {
      try {
        return operation.idempotent(json && JSON.parse(json));
      } catch {
        return "the body does not match its type";
      }
    },
    data: operation.response.body,
    failures: operation.failures as PreparedRequest["failures"],
    options: CALL_OPTIONS,
  };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const REQUEST_OPTIONS = [...CALL_OPTIONS, "query", "body", "idempotent"] as const;

/** Prepares the request of `client.request`. */
export function prepareRequest(baseUrl: string, method: string, path: string, given: RequestOptions): PreparedRequest {
  const called = new Checks({ caller: "request" });
  called.oneOf("method", method, METHODS);
  // Does not show the path, since its query may contain a secret.
  called.must(typeof path === "string" && path.startsWith("/"), "path", 'be a string that starts with "/"', path);
  const operation = `${method} ${path.split("?", 1)[0]}`;
  const check = new Checks({ operation });
  const { query, body, idempotent = method === "GET" } = check.fields("options", given, REQUEST_OPTIONS);
  const reason =
    method === "GET" ? "idempotent is false" : `a ${method} may not be idempotent; if it is, set idempotent: true`;
  return {
    operation,
    method,
    url: baseUrl + appendQuery(check, path, query),
    body: serialize(check, method, body),
    idempotent: check.boolean("idempotent", idempotent) || reason,
    data: undefined,
    failures: {},
    options: REQUEST_OPTIONS,
  };
}

/** The parameters and the body of an operation's request. Undefined if the operation has none. */
export interface OperationParameters<Types extends OperationTypes> {
  readonly path?: (Types extends { readonly path: infer Path } ? Path : undefined) | undefined;
  readonly query?: (Types extends { readonly query: infer Query } ? Query : undefined) | undefined;
  readonly body?: Types extends { readonly body: infer Body } ? Body : undefined;
}

/** Inserts the parameters into an operation's path. */
function fillPath(check: Checks, template: string, values: unknown): string {
  const given = values as Readonly<Record<string, unknown>> | undefined;
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeParameter(check, `path.${name}`, given?.[name]));
}

/** Encodes a parameter. Rejects values that would change the path: the URL parser drops an empty one, `.` and `..`. */
function encodeParameter(check: Checks, path: string, value: unknown): string {
  const isSafe = typeof value === "string" && !/^\.{0,2}$/.test(value);
  check.must(isSafe, path, 'be a non-empty string other than "." and ".."', value, describeValue);
  try {
    return encodeURIComponent(value as string);
  } catch (cause) {
    throw check.fail(path, "must be well-formed Unicode", { cause });
  }
}

/** Appends query parameters to a path. Undefined values are omitted; an array repeats the name. */
function appendQuery(check: Checks, path: string, query: unknown): string {
  if (query === undefined) return path;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(check.object("query", query))) {
    for (const item of value === undefined ? [] : [value].flat()) {
      const isText = typeof item === "string" || typeof item === "boolean" || Number.isFinite(item);
      const requirement = "be a string, a finite number, a boolean or an array of them";
      check.must(isText, `query.${name}`, requirement, item, describeValue);
      search.append(name, String(item));
    }
  }
  if (search.size === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${search}`;
}

/** Serializes a body as JSON. `undefined` stays `undefined`. */
function serialize(check: Checks, method: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (method === "GET") throw check.fail("body", "is not allowed with GET");
  return writtenBody(value) ?? checkedJson(check, "body", value);
}
