import type { StandardSchemaV1 } from "@standard-schema/spec";
import { test } from "vitest";
import * as z from "zod/mini";
import { contract } from "#current";
import { connectMock } from "../../mock/connect.ts";
import { createMock, type MockNames, strict } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";
import type { Operation, Schema } from "../../src/contract.ts";

test("optional fields accept undefined, except a password", () => {
  const mock = createMock({ seed: undefined, now: undefined, baseUrl: undefined, assumptions: undefined });
  mock.issueToken({ type: undefined, scopes: undefined, organization: undefined, expiresIn: undefined });
  mock.fault({ status: 503, times: undefined, operation: undefined });
  mock.requests.list({ status: undefined });
  mock.webhooks.emit("order.paid", {}, { organization: undefined });
  void startServer({ port: undefined, host: undefined });
  // @ts-expect-error An undefined password would leave the control API open.
  void startServer({ control: { password: undefined } });
});

test("the assumptions of strict can be overridden", () => {
  createMock({ assumptions: { ...strict, maxBatchSize: 500, endpointUrl: { ...strict.endpointUrl, hosts: "any" } } });
  // @ts-expect-error The assumption does not exist.
  createMock({ assumptions: { ...strict, organizationField: { oat: "ignored" } } });
});

test("a name with a typo does not compile, unless contracts of your own may define it", () => {
  const mock = createMock();
  // @ts-expect-error The operation does not exist.
  mock.fault({ operation: "events:ingst", status: 500 });
  // @ts-expect-error The event type does not exist.
  mock.webhooks.emit("order.payd", {});
  // @ts-expect-error The scope does not exist.
  mock.issueToken({ scopes: ["events:wrte"] });
  // @ts-expect-error The operation does not exist.
  void connectMock("http://127.0.0.1:4010").requests.to("events:ingst");
  const own = createMock({ contracts: [] });
  own.fault({ operation: "things:read", status: 500 });
  own.webhooks.emit("thing.made", {});
  own.issueToken({ scopes: ["things:write", "events:read"] });
  void connectMock<MockNames>("http://127.0.0.1:4010").webhooks.emit("thing.made", {});
});

declare const Classic: import("zod").ZodType<{ name: string }>;
declare const Foreign: StandardSchemaV1<unknown, { name: string }>;

test("a schema of a contract is one of zod 4", () => {
  const schemas: Schema<{ name: string }>[] = [z.object({ name: z.string() }), Classic];
  for (const body of schemas) {
    const operations = contract.operations.map((each): Operation => ({ ...each, request: { body } }));
    createMock({ contracts: [{ ...contract, operations }] });
  }
  // @ts-expect-error The client needs zod.
  const _foreign: Schema<{ name: string }> = Foreign;
  // @ts-expect-error The schema has another output.
  const _wrong: Schema<{ name: string }> = z.object({ name: z.number() });
});
