import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { contract as deprecated } from "../../versions/2024-10/contract.ts";
import { contract as current } from "../../versions/2025-01/contract.ts";
import { contract as next } from "../../versions/2025-04/contract.ts";
import { openAdapter, problems } from "../support/adapter.ts";
import { NOBODY, usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";

/** Returns Next with a changed ingest operation. */
function withIngest(change: (operation: Operation) => Partial<Operation>): Contract {
  const operations = next.operations.map((operation) =>
    operation.id === "events:ingest" ? { ...operation, ...change(operation) } : operation,
  );
  return { ...next, operations };
}

/** Returns the failures of an operation, with one moved to another status. */
function moved({ failures }: Operation, from: number, to: number): Record<number, Schema> {
  const { [from]: schema, ...rest } = failures as Record<number, Schema>;
  return { ...rest, [to]: schema as Schema };
}

async function openNext(contract: Contract, assumptions = {}) {
  const adapter = await openAdapter({ contracts: [deprecated, current, contract], assumptions });
  const ingest = (version: string, events: unknown, token?: string | null) =>
    adapter.send(INGEST, { version, json: { events }, ...(token === undefined ? {} : { token }) });
  return { ...adapter, ingest };
}

describe("a contract given to the mock", () => {
  const event = z.object({ name: z.string().check(z.maxLength(200)), customer_id: z.uuidv4() });
  const list = z.array(event).check(z.minLength(1), z.maxLength(3));
  const longer = withIngest(() => ({ request: { body: z.object({ events: list }) as unknown as Schema } }));

  it("VER-2, G-EVT-REQ: limits names only in its version", async () => {
    const { ingest } = await openNext(longer);
    const named = (length: number) => [usage({ name: "x".repeat(length) })];
    expect((await ingest("2025-04", named(200))).status).toBe(200);
    expect(problems(await ingest("2025-04", named(201)))).toEqual(["body.events.0.name string_too_long"]);
    expect((await ingest("2025-01", named(201))).status).toBe(200);
  });

  it("VER-2: limits a list, whose items are still checked", async () => {
    const { ingest } = await openNext(longer);
    expect(problems(await ingest("2025-04", []))).toEqual(["body.events too_short"]);
    expect(problems(await ingest("2025-04", Array(4).fill(usage())))).toEqual(["body.events too_long"]);
    expect(problems(await ingest("2025-04", [usage(), 5]))).toEqual(["body.events.1 dict_type"]);
  });

  it.each([
    [z.number(), "5", "Input should be a valid number"],
    [z.int(), 1.5, "Input should be a valid integer"],
    [z.number().check(z.maximum(1)), 2, "Input should be at most 1"],
    [z.number().check(z.gt(0)), 0, "Input should be greater than 0"],
    [z.string().check(z.regex(/^[a-z]+$/)), "A", "String should match pattern '/^[a-z]+$/'"],
    [z.string().check(z.startsWith("sku_")), "A", "String should have the required format"],
  ])("VER-2: describes what a field requires, %#", async (schema, value, msg) => {
    const body = z.object({ events: z.array(z.object({ name: schema })) }) as unknown as Schema;
    const { ingest } = await openNext(withIngest(() => ({ request: { body } })));
    expect(await ingest("2025-04", [{ name: value }])).toMatchObject({ status: 422, body: { detail: [{ msg }] } });
  });

  it("VER-2: declares the statuses of a failed validation, a missing scope, a bad credential and none", async () => {
    const contract = withIngest((operation) => {
      const failures = moved({ ...operation, failures: moved(operation, 403, 409) }, 401, 402);
      return { failures: moved({ ...operation, failures }, 422, 400) };
    });
    const { mock, ingest } = await openNext(contract);
    const [oidc, powerless] = [mock.issueToken({ type: "oidc" }), mock.issueToken({ scopes: [] })];
    const statuses = async (version: string) => {
      const rejected = [];
      for (const token of [oidc, powerless, null, "unknown"]) rejected.push(await ingest(version, [], token));
      rejected.push(await ingest(version, [{ name: "a" }]));
      return rejected.map(({ status }) => status);
    };
    expect(await statuses("2025-04")).toEqual([402, 409, 402, 402, 400]);
    expect(await statuses("2025-01")).toEqual([401, 403, 401, 401, 422]);
    mock.fault({ operation: "products:list", status: 503 });
    expect((await ingest("2025-04", [], "unknown")).status).toBe(402);
  });

  it("VER-2: uses its declared status for an unknown id", async () => {
    const operations = next.operations.map((operation) =>
      operation.id === "webhooks:get_webhook_endpoint"
        ? { ...operation, failures: moved(operation, 404, 410) }
        : operation,
    );
    const { send } = await openNext({ ...next, operations });
    const read = (version: string) => send(`GET /v1/webhooks/endpoints/${NOBODY}`, { version });
    expect([(await read("2025-04")).status, (await read("2025-01")).status]).toEqual([410, 404]);
  });
});
