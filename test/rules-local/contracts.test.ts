import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { nextSample } from "../../examples/next-sample/contract.ts";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { contract as deprecated } from "../../versions/2024-10/contract.ts";
import { contract as current } from "../../versions/2025-01/contract.ts";
import { contract as next } from "../../versions/2025-04/contract.ts";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

/** Returns a contract with some operations changed. */
function changed(contract: Contract, changes: Readonly<Record<string, (operation: Operation) => Operation>>): Contract {
  const operations = contract.operations.map((operation) => changes[operation.id]?.(operation) ?? operation);
  return { ...contract, operations };
}

/** Returns a schema with more fields. */
function extended(schema: Schema, fields: Readonly<Record<string, Schema>>): Schema {
  return z.extend(schema as unknown as z.ZodMiniObject, fields) as unknown as Schema;
}

/** Returns an operation whose response has another field. */
function withTeam(operation: Operation): Operation {
  const body = extended(operation.response.body, { team: z.exactOptional(z.string()) });
  return { ...operation, response: { ...operation.response, body } };
}

const nextWithTeam = changed(next, {
  "webhooks:get_webhook_endpoint": withTeam,
  "webhooks:update_webhook_endpoint": withTeam,
});

const READ = "GET /v1/webhooks/endpoints";
const team = { team: "payments" } as object;

describe("a response field that only Next has", () => {
  it("VER-2, LIF-7: is only in the responses of Next", async () => {
    const { mock, send } = await openAdapter({ contracts: [deprecated, current, nextWithTeam] });
    const { id } = mock.webhookEndpoints.create(team);
    for (const version of ["2024-10", "2025-01", "2025-04", "2025-01", "2025-04"]) {
      const read = await send(`${READ}/${id}`, { version });
      const updated = await send(`PATCH /v1/webhooks/endpoints/${id}`, { version, json: { name: version } });
      const expected = version === "2025-04" ? "payments" : undefined;
      expect([read, updated].map(({ body }) => (body as { team?: string }).team)).toEqual([expected, expected]);
    }
  });

  it("VER-3, VER-4, LIF-3, LIF-4, LIF-7, G-NEXTNEXT: is in no older version after a release, and in the new Next", async () => {
    const { mock, send } = await openAdapter({ contracts: [deprecated, current, nextWithTeam] });
    const { id } = mock.webhookEndpoints.create(team);
    const has = async (version: string | null) => "team" in ((await send(`${READ}/${id}`, { version })).body as object);
    expect(await has(null)).toBe(false);
    mock.release();
    const found = [await has("2025-01"), await has("2025-04"), await has("2025-07"), await has(null)];
    expect(found).toEqual([false, true, true, true]);
  });
});

describe("a fourth contract", () => {
  const created = nextSample(next);
  const ingest = "POST /v1/events/ingest";
  const event = { name: "api.call", external_customer_id: "acme", source: "gateway" };

  it("LIF-5, G-NEXTNEXT: is the Next that the first release creates; a later one copies it", async () => {
    const { mock, send } = await openAdapter({ contracts: [created, deprecated, current, next] });
    const statuses = async (version: string) => {
      const batches = [[event], [{ ...event, source: undefined }]];
      const responses = await Promise.all(batches.map((events) => send(ingest, { version, json: { events } })));
      return responses.map(({ status }) => status);
    };
    expect(await statuses("2025-07")).toEqual([404, 404]);
    expect(mock.release()).toEqual({ deprecated: "2025-01", current: "2025-04", next: "2025-07" });
    expect(await statuses("2025-04")).toEqual([200, 200]);
    expect(await statuses("2025-07")).toEqual([200, 422]);
    expect(mock.release()).toEqual({ deprecated: "2025-04", current: "2025-07", next: "2025-10" });
    expect(await statuses("2025-10")).toEqual([200, 422]);
    mock.reset();
    expect(mock.versions).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
    expect(mock.release().next).toBe("2025-07");
    expect(await statuses("2025-07")).toEqual([200, 422]);
  });
});

describe("what a version governs besides responses", () => {
  it("VER-2: operations, statuses and credentials", async () => {
    const another = changed(
      { ...next, operations: next.operations.filter(({ id }) => id !== "products:list") },
      {
        "events:ingest": (operation) => ({
          ...operation,
          security: { schemes: ["pat"], scopes: ["events:write"] },
          response: { ...operation.response, status: 202 },
        }),
      },
    );
    const { mock, send } = await openAdapter({ contracts: [deprecated, current, another] });
    const statuses = async (version: string) => {
      const json = { events: [usage()] };
      const token = mock.issueToken({ type: "pat" });
      const answers = [
        await send("GET /v1/products/", { version }),
        await send("POST /v1/events/ingest", { version, json }),
        await send("POST /v1/events/ingest", { version, json, token }),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statuses("2025-01")).toEqual([200, 200, 200]);
    expect(await statuses("2025-04")).toEqual([404, 401, 202]);
  });

  it("a 501 for an operation that the mock does not implement", async () => {
    const operations = next.operations.flatMap((operation): Operation[] =>
      operation.id === "products:list"
        ? [operation, { ...operation, id: "invoices:list", path: "/v1/invoices/" }]
        : [operation],
    );
    const more: Contract = { ...next, operations };
    const { mock, send } = await openAdapter({ contracts: [deprecated, current, more] });
    const { status, body } = await send("GET /v1/invoices/", { version: next.version, token: mock.issueToken() });
    expect({ status, body }).toEqual({
      status: 501,
      body: {
        error: "NotImplemented",
        detail: expect.stringMatching(
          /^The mock does not implement the operation "invoices:list" from your contract\. It implements: .*events:ingest/,
        ),
      },
    });
  });

  it("VER-2, SEC-3, WHT-1: scopes and event types", async () => {
    const more: Contract = { ...next, scopes: [...next.scopes, "invoices:read"] };
    const { client, send } = await openAdapter({ contracts: [deprecated, current, more] });
    const query = "GET /v1/oauth2/authorize?scope=invoices:read";
    expect((await send(query, { version: "2025-01" })).body).toMatchObject({ error: "invalid_scope" });
    const { scope_display_names } = await client("2025-01").oauth2.authorize();
    expect(scope_display_names).not.toHaveProperty("invoices:read");
  });
});

describe("the contracts of a mock", () => {
  it.each([
    ["two", [current, next]],
    ["five", [deprecated, current, next, nextSample(next), { ...next, version: "2025-10" }]],
    ["no", []],
    ["two equal", [deprecated, current, { ...next, version: "2025-01" }]],
  ])("LIF-1, G-NEXTNEXT: are three or four with different names, not %s", async (_, contracts) => {
    await expect(openAdapter({ contracts })).rejects.toThrow("`contracts` must be three, or four");
  });

  it("LIF-1: have states that follow from their names, in any order", async () => {
    const { mock } = await openAdapter({ contracts: [next, deprecated, current] });
    expect(mock.versions).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
  });
});
