import assert from "node:assert/strict";
import { requireValid } from "../../mock/validation/body-check.ts";
import type { Operation, Schema } from "../../src/contract/index.ts";
import type { FuzzRequest } from "./arbitraries/request.ts";

/** An answer as the fuzz looks at it. */
export interface FuzzAnswer {
  readonly status: number;
  readonly version: string | null;
  readonly text: string;
}

/** The responses of a version to any request, in addition to those that its operations declare. */
const COMMON: readonly number[] = [405, 411, 413, 429];

/** Fails unless the contract declares the answer: its status, and every field of its body. */
export function expectDeclared(request: FuzzRequest, { status, version, text }: FuzzAnswer, supported: boolean): void {
  const { operation, contract } = request;
  const place = `${contract.version} ${operation.id} ${status} ${text.slice(0, 200)}`;
  if (!supported) {
    assert.deepEqual([status, version, JSON.parse(text)], [404, "2025-01", { detail: "Not Found" }], place);
    return;
  }
  assert.equal(version, request.version ?? "2025-01", place);
  const schema = declaredSchema(operation, status);
  if (schema) expectFit(schema, JSON.parse(text), place);
  else assert.ok(COMMON.includes(status) && "detail" in JSON.parse(text), place);
}

/** Returns the schema that an operation declares for a status. */
export function declaredSchema({ response, failures }: Operation, status: number): Schema | undefined {
  return status === response.status ? response.body : (failures as Readonly<Record<number, Schema>>)[status];
}

/** Fails unless a value matches a schema and has only its fields. */
export function expectFit(schema: Schema, value: unknown, place: string): void {
  assert.deepEqual(value, requireValid(schema, value, place), place);
}
