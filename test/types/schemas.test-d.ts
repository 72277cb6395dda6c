import type { StandardSchemaV1 } from "@standard-schema/spec";
import { test } from "vitest";
import * as z from "zod/mini";
import { contract } from "#current";
import { createMock } from "../../mock/index.ts";
import type { Operation, Schema } from "../../src/contract.ts";

interface Team {
  name: string;
}

declare const Classic: import("zod").ZodType<Team>;
declare const Foreign: StandardSchemaV1<unknown, Team>;

test("a schema of a contract is one of zod 4", () => {
  const schemas: Schema<Team>[] = [z.object({ name: z.string() }), Classic];
  for (const body of schemas) {
    const operations = contract.operations.map((each): Operation => ({ ...each, request: { body } }));
    createMock({ contracts: [{ ...contract, operations }] });
  }
  // @ts-expect-error The client needs zod.
  const _foreign: Schema<Team> = Foreign;
  // @ts-expect-error The schema has another output.
  const _wrong: Schema<Team> = z.object({ name: z.number() });
});
