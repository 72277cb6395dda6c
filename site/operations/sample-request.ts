import type { Method } from "../../src/contract/index.ts";
import type { BoundOperation } from "./bound-operations.ts";
import { SAMPLE_ID } from "./sample-of.ts";

/** A valid request to an operation. */
export interface SampleRequest {
  readonly method: Method;
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
  /** The body as a JSON value; undefined without a body. */
  readonly body: unknown;
}

/** Returns a request with given parameters. */
export function sampleRequest({ operation }: BoundOperation, query: unknown, body: unknown): SampleRequest {
  const pairs = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    method: operation.method,
    path: operation.path.replaceAll(/\{\w+\}/g, SAMPLE_ID),
    query: new URLSearchParams(pairs).toString(),
    body,
  };
}
