import { expect } from "vitest";
import type { Schema } from "../../src/contract/index.ts";
import type { FuzzRequest } from "./arbitraries/request.ts";

/** An answer as the fuzz looks at it. */
export interface FuzzAnswer {
  readonly status: number;
  readonly version: string | null;
  readonly text: string;
}

/** What a version may answer to any request, besides what its operations declare: G-404, G-413, G-RATE, G-LENGTH. */
const COMMON: readonly number[] = [405, 411, 413, 429];

/** Fails unless the contract declares the answer: its status, and every field of its body. */
export function expectDeclared(request: FuzzRequest, { status, version, text }: FuzzAnswer, supported: boolean): void {
  const { operation, contract } = request;
  if (!supported) {
    expect({ status, version, body: parsed(text) }).toEqual({
      status: 404,
      version: null,
      body: { detail: "Not Found" },
    });
    return;
  }
  expect(version).toBe(request.version ?? "2025-01");
  const { response, failures } = operation as { response: typeof operation.response; failures: Failures };
  const schema = status === response.status ? response.body : failures[status];
  if (!schema) {
    expect(COMMON, `${status} ${text}`).toContain(status);
    expect(parsed(text)).toHaveProperty("detail");
    return;
  }
  expectFit(schema, parsed(text), `${contract.version} ${operation.id} ${status}`);
}

type Failures = Readonly<Record<number, Schema>>;

/** Fails unless a value fits a schema and has no field besides. */
export function expectFit(schema: Schema, value: unknown, place: string): void {
  const result = schema.safeParse(value);
  expect(result.error?.issues ?? [], place).toEqual([]);
  expect(value, place).toEqual(result.data);
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}
