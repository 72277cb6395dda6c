import assert from "node:assert/strict";
import { requireValid } from "../../mock/validation/body-schema.ts";
import type { Operation, Schema } from "../../src/contract/index.ts";
import type { Received } from "../support/receive.ts";
import { CURRENT } from "../support/versions.ts";
import type { FuzzRequest } from "./arbitraries/request.ts";

/** The responses of a version to any request, in addition to those that its operations declare. */
const COMMON: readonly number[] = [405, 411, 413, 429];

/** Fails unless the contract declares the answer: its status, and every field of its body. */
export function expectDeclared(
  request: Pick<FuzzRequest, "contract" | "operation" | "version">,
  { status, headers, body }: Received,
  supported = true,
): void {
  const { operation, contract } = request;
  const place = `${contract.version} ${operation.id} ${status} ${JSON.stringify(body).slice(0, 300)}`;
  const version = headers.get("service-version");
  if (!supported) {
    assert.deepEqual([status, version, body], [404, CURRENT, { detail: "Not Found" }], place);
    return;
  }
  assert.equal(version, request.version ?? CURRENT, place);
  const schema = declaredSchema(operation, status);
  if (schema) assert.deepEqual(body, requireValid(schema, body, place), place);
  else assert.ok(COMMON.includes(status) && "detail" in Object(body), place);
}

/** Returns the schema that an operation declares for a status. */
export function declaredSchema({ response, failures }: Operation, status: number): Schema | undefined {
  return status === response.status ? response.body : (failures as Readonly<Record<number, Schema>>)[status];
}
