import type { Operation, OperationTypes, Schema } from "../contract/index.ts";
import { describeValue } from "../errors/describe-value.ts";
import { InvalidInputError, type OperationError } from "../errors/index.ts";
import { serialize } from "./body.ts";
import type { Call } from "./call.ts";
import type { CallOptions, RequestOptions } from "./options.ts";
import { own } from "./own.ts";
import { type Reader, readChecked, readUnchecked } from "./read-body.ts";
import { CALL_OPTIONS } from "./read-options.ts";
import { appendQuery, checkPath, fillPath } from "./url.ts";

/** The request of a call and the reader of its response, shared by all attempts. */
export interface PreparedRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** The serialized body. */
  readonly body: string | undefined;
  /** True if the request is idempotent; otherwise the reason why not. */
  readonly repeatable: true | string;
  readonly read: Reader;
  readonly failures: { readonly [status: number]: Schema | undefined };
  /** The valid names of call options. */
  readonly options: readonly string[];
}

/** Prepares the request of an operation. */
export function prepareOperation<Types extends OperationTypes>(
  baseUrl: string,
  operation: Operation<Types>,
  parameters: Parameters<Types>,
): PreparedRequest {
  const { id, method } = operation;
  const { path, query, body } = own(parameters);
  if (Object.hasOwn(parameters, "body") && body === undefined) {
    throw new InvalidInputError("body", "is required; received undefined", { operation: id });
  }
  return {
    operation: id,
    method,
    url: baseUrl + appendQuery(fillPath(operation.path, path, id), query, id),
    body: serialize(body, method, id),
    repeatable: isRepeatable(operation, body as Types["body"]),
    read: readChecked(operation.response.body),
    failures: operation.failures as PreparedRequest["failures"],
    options: CALL_OPTIONS,
  };
}

/** Returns whether a request is idempotent. A body that the types do not allow is sent, but not repeated. */
function isRepeatable<Types extends OperationTypes>(operation: Operation<Types>, body: Types["body"]): true | string {
  try {
    return operation.repeatable(body);
  } catch {
    return "the body does not match its type";
  }
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Prepares the request of `client.request`. */
export function prepareRequest(baseUrl: string, method: string, path: string, given: RequestOptions): PreparedRequest {
  const options = own(given);
  if (!METHODS.includes(method)) {
    const problem = `must be one of ${METHODS.join(", ")}; received ${describeValue(method)}`;
    throw new InvalidInputError("method", problem, { caller: "request" });
  }
  const target = checkPath(path, method);
  const operation = `${method} ${target.split("?", 1)[0]}`;
  return {
    operation,
    method,
    url: baseUrl + appendQuery(target, options.query, operation),
    body: serialize(options.body, method, operation),
    repeatable:
      checkRepeatable(options.repeatable, operation) ??
      (method === "GET" || `a ${method} may not be idempotent; if it is, set repeatable: true`),
    read: readUnchecked,
    failures: {},
    options: [...CALL_OPTIONS, "query", "body", "repeatable"] satisfies (keyof RequestOptions)[],
  };
}

function checkRepeatable(value: unknown, operation: string): true | string | undefined {
  if (value === undefined || value === true) return value;
  if (value === false) return "repeatable is false";
  throw new InvalidInputError("repeatable", `must be a boolean; received ${describeValue(value)}`, { operation });
}

/** The type of one part of an operation's request; undefined if the operation has none. */
type RequestPart<Types extends OperationTypes, Name extends "path" | "query" | "body"> =
  Types extends Readonly<Record<Name, infer Value>> ? Value : undefined;

/** The parameters and the body of an operation's request. */
export interface Parameters<Types extends OperationTypes> {
  readonly path?: RequestPart<Types, "path"> | undefined;
  readonly query?: RequestPart<Types, "query"> | undefined;
  readonly body?: RequestPart<Types, "body">;
}

/** Sends an operation. */
export type Send = <Types extends OperationTypes>(
  operation: Operation<Types>,
  parameters: Parameters<Types>,
  options?: CallOptions,
) => Call<Types["data"], OperationError<Types["failures"]>>;
