import type { Operation, OperationTypes, Schema } from "../contract/index.ts";
import { InvalidInputError, type OperationError } from "../errors/index.ts";
import { serialize } from "./body.ts";
import type { Call } from "./call.ts";
import type { CallOptions, RequestOptions } from "./options.ts";
import { own } from "./own.ts";
import { type Reader, readChecked, readUnchecked } from "./read-body.ts";
import { CALL_OPTIONS } from "./read-options.ts";
import { appendQuery, checkPath, fillPath } from "./url.ts";

/** What a call sends and how its answer is read: all that stays the same over its attempts. */
export interface PreparedRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** The body, written once. */
  readonly body: string | undefined;
  /** True, or why sending the request twice could do more than sending it once. */
  readonly repeatable: true | string;
  readonly read: Reader;
  readonly failures: { readonly [status: number]: Schema | undefined };
  /** The options that the call has. */
  readonly options: readonly string[];
}

/** Makes the request of an operation of the contract. */
export function prepareOperation<Types extends OperationTypes>(
  baseUrl: string,
  operation: Operation<Types>,
  parameters: Parameters<Types>,
): PreparedRequest {
  const { id, method } = operation;
  const { path, query, body } = own(parameters);
  if (Object.hasOwn(parameters, "body") && body === undefined) {
    throw new InvalidInputError("body", "is undefined; the operation needs one", { operation: id });
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

/** A body of another shape than the types allow is not known to be repeatable; the service says what is wrong with it. */
function isRepeatable<Types extends OperationTypes>(operation: Operation<Types>, body: Types["body"]): true | string {
  try {
    return operation.repeatable(body);
  } catch {
    return "the body has another shape than the types allow";
  }
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Makes the request of a request that no operation describes. */
export function prepareRequest(baseUrl: string, method: string, path: string, given: RequestOptions): PreparedRequest {
  const options = own(given);
  if (!METHODS.includes(method)) throw new InvalidInputError("method", `must be one of ${METHODS.join(", ")}`);
  const target = checkPath(path, method);
  const operation = `${method} ${target.split("?", 1)[0]}`;
  return {
    operation,
    method,
    url: baseUrl + appendQuery(target, options.query, operation),
    body: serialize(options.body, method, operation),
    repeatable:
      checkRepeatable(options.repeatable, operation) ??
      (method === "GET" || `a ${method} may not be safe to repeat; if it is, say repeatable: true`),
    read: readUnchecked,
    failures: {},
    options: [...CALL_OPTIONS, "query", "body", "repeatable"] satisfies (keyof RequestOptions)[],
  };
}

function checkRepeatable(value: unknown, operation: string): true | string | undefined {
  if (value === undefined || value === true) return value;
  if (value === false) return "the call says repeatable: false";
  throw new InvalidInputError("repeatable", "must be true or false", { operation });
}

/** A part of an operation's request; undefined where the operation has none. */
type RequestPart<Types extends OperationTypes, Name extends "path" | "query" | "body"> =
  Types extends Readonly<Record<Name, infer Value>> ? Value : undefined;

/** The parameters and the body of a request of an operation. */
export interface Parameters<Types extends OperationTypes> {
  readonly path?: RequestPart<Types, "path"> | undefined;
  readonly query?: RequestPart<Types, "query"> | undefined;
  readonly body?: RequestPart<Types, "body">;
}

/** Sends an operation of the contract. */
export type Send = <Types extends OperationTypes>(
  operation: Operation<Types>,
  parameters: Parameters<Types>,
  options?: CallOptions,
) => Call<Types["data"], OperationError<Types["failures"]>>;
