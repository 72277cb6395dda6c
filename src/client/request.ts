import type { Operation, OperationTypes, Schema } from "../contract/index.ts";
import { Checks } from "../errors/checks.ts";
import { describeType, describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import { serialize } from "./body.ts";
import type { Deadline } from "./deadline.ts";
import type { AttemptFacts, RequestOptions } from "./options.ts";
import { CALL_OPTIONS, type CallSettings, type Settings } from "./settings.ts";

/** The request of a call, shared by all attempts. */
export interface PreparedRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** The serialized body. */
  readonly body: string | undefined;
  /** True if the request is idempotent; otherwise the reason why not. */
  readonly idempotent: true | string;
  /** The schema of a successful response; undefined if it is not checked. */
  readonly data: Schema | undefined;
  readonly failures: { readonly [status: number]: Schema | undefined };
  /** The valid names of call options. */
  readonly options: readonly string[];
}

/** One attempt of a call. */
export interface Attempt {
  readonly settings: Settings;
  readonly call: CallSettings;
  readonly request: PreparedRequest;
  /** The facts that hooks receive. */
  readonly facts: AttemptFacts;
  readonly deadline: Deadline;
  /** The start of the call, on the clock of `performance.now()`. */
  readonly started: number;
  /** Whether the service rejected the token of the previous attempt. */
  readonly renew: boolean;
  /** The access tokens of this attempt and those before it, the newest first. They are redacted in every error. */
  tokens: readonly string[];
  /** The status of the response; undefined until it arrives. */
  status?: number;
}

/** Prepares the request of an operation. */
export function prepareOperation<Types extends OperationTypes>(
  baseUrl: string,
  operation: Operation<Types>,
  parameters: OperationParameters<Types>,
): PreparedRequest {
  const { id, method } = operation;
  const { path, query, body } = { __proto__: null, ...parameters } as OperationParameters<Types>;
  if (Object.hasOwn(parameters, "body") && body === undefined) {
    throw new InvalidInputError("body", "is required; received undefined", { operation: id });
  }
  return {
    operation: id,
    method,
    url: baseUrl + appendQuery(fillPath(operation.path, path, id), query, id),
    body: serialize(body, method, id),
    idempotent: isIdempotent(operation, body as Types["body"]),
    data: operation.response.body,
    failures: operation.failures as PreparedRequest["failures"],
    options: CALL_OPTIONS,
  };
}

/** Returns whether a request is idempotent. A body that the types do not allow is sent, but not repeated. */
function isIdempotent<Types extends OperationTypes>(operation: Operation<Types>, body: Types["body"]): true | string {
  try {
    return operation.idempotent(body);
  } catch {
    return "the body does not match its type";
  }
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Prepares the request of `client.request`. */
export function prepareRequest(baseUrl: string, method: string, path: string, given: RequestOptions): PreparedRequest {
  const options = { __proto__: null, ...given } as RequestOptions;
  new Checks({ caller: "request" }).oneOf("method", method, METHODS);
  const target = checkPath(path, method);
  const operation = `${method} ${target.split("?", 1)[0]}`;
  return {
    operation,
    method,
    url: baseUrl + appendQuery(target, options.query, operation),
    body: serialize(options.body, method, operation),
    idempotent:
      checkIdempotent(options.idempotent, operation) ??
      (method === "GET" || `a ${method} may not be idempotent; if it is, set idempotent: true`),
    data: undefined,
    failures: {},
    options: [...CALL_OPTIONS, "query", "body", "idempotent"] satisfies (keyof RequestOptions)[],
  };
}

function checkIdempotent(value: unknown, operation: string): true | string | undefined {
  if (value === undefined || value === true) return value;
  if (value === false) return "idempotent is false";
  throw new InvalidInputError("idempotent", `must be a boolean; received ${describeValue(value)}`, { operation });
}

/** The parameters and the body of an operation's request. Undefined if the operation has none. */
export interface OperationParameters<Types extends OperationTypes> {
  readonly path?: (Types extends { readonly path: infer Path } ? Path : undefined) | undefined;
  readonly query?: (Types extends { readonly query: infer Query } ? Query : undefined) | undefined;
  readonly body?: Types extends { readonly body: infer Body } ? Body : undefined;
}

/** Inserts the parameters into an operation's path. */
function fillPath(template: string, values: unknown, operation: string): string {
  const given = values as Readonly<Record<string, unknown>> | undefined;
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeParameter(name, given?.[name], operation));
}

/** Encodes a parameter. Rejects values that would change the path: the URL parser drops an empty one, `.` and `..`. */
function encodeParameter(name: string, value: unknown, operation: string): string {
  const path = `path.${name}`;
  if (typeof value !== "string" || value === "") {
    throw new InvalidInputError(path, `must be a non-empty string; received ${describeValue(value)}`, { operation });
  }
  if (value === "." || value === "..") throw new InvalidInputError(path, `must not be "${value}"`, { operation });
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new InvalidInputError(path, "must be well-formed Unicode", { operation, cause });
  }
}

/** Matches a path that could send the token elsewhere: the URL parser removes these characters and segments, or turns them into slashes. */
const UNSAFE_PATH = /^(?!\/(?!\/))|[\s\p{Cc}\\#]|^[^?]*\/(?:\.|%2e){1,2}(?=[/?]|$)/iu;

/** Checks the path of `client.request`. Does not show it, since its query may contain a secret. */
function checkPath(path: string, operation: string): string {
  const isSafe = typeof path === "string" && !UNSAFE_PATH.test(path);
  const requirement =
    'start with one "/", and have no space, control character, backslash, fragment, or segment "." or ".."';
  new Checks({ operation }).must(isSafe, "path", requirement, path);
  return path;
}

/** Appends query parameters to a path. Undefined values are omitted; an array repeats the name. */
function appendQuery(path: string, query: unknown, operation: string): string {
  if (query === undefined) return path;
  if (typeof query !== "object" || query === null)
    throw new InvalidInputError("query", `must be an object; received ${describeType(query)}`, { operation });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) appendParameter(search, name, value, operation);
  if (search.size === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${search}`;
}

function appendParameter(search: URLSearchParams, name: string, value: unknown, operation: string): void {
  if (value === undefined) return;
  for (const item of Array.isArray(value) ? value : [value]) search.append(name, text(name, item, operation));
}

function text(name: string, value: unknown, operation: string): string {
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  const problem = `must be a string, a finite number, a boolean or an array of them; received ${describeValue(value)}`;
  throw new InvalidInputError(`query.${name}`, problem, { operation });
}
