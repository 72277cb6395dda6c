import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import { createMock } from "../../mock/index.ts";
import { contract, type Operation, type Schema } from "../../versions/2025-01/index.ts";

interface Team {
  name: string;
}

declare const Foreign: StandardSchemaV1<unknown, Team>;
declare const WithJsonSchema: StandardSchemaV1<unknown, Team> & StandardJSONSchemaV1<unknown, Team>;

test("a schema of a contract may come from any library", () => {
  const schemas: Schema<Team>[] = [Foreign, WithJsonSchema, z.object({ name: z.string() })];
  for (const body of schemas) {
    const operations = contract.operations.map((each): Operation => ({ ...each, request: { body } }));
    createMock({ contracts: [{ ...contract, operations }] });
  }
  // @ts-expect-error The schema has another output.
  const _wrong: Schema<Team> = z.object({ name: z.number() });
});

test("a schema of the package is a Standard Schema", () => {
  const [operation] = contract.operations;
  const standard: StandardSchemaV1<unknown, unknown> | undefined = operation?.response.body;
  expectTypeOf(standard).not.toBeAny();
  expectTypeOf<StandardSchemaV1.InferOutput<Schema<Team>>>().toEqualTypeOf<Team>();
});
