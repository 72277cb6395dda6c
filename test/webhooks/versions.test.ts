import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createMock, type Mock } from "../../mock/index.ts";
import type { Contract, Schema } from "../../src/contract/index.ts";
import { contract as packaged } from "../../versions/2025-01/contract.ts";
import { handler, json } from "./receiver.ts";

const data = {
  id: "ord_1",
  total: 1200,
  currency: "eur",
  customer: { id: "cus_1", email: "a@example.com", note: "internal" },
};

const oldOrder = z.object({ id: z.string(), customer: z.object({ id: z.string() }) });
const newOrder = z.object({
  currency: z.string(),
  id: z.string(),
  total: z.int(),
  customer: z.object({ id: z.string(), email: z.string() }),
});

/** A contract of a version that describes the data of some types. */
function version(name: string, webhookData: Readonly<Record<string, Schema>> = {}): Contract {
  return { ...packaged, version: name, webhookData };
}

const contracts = [
  version("2024-10", { "order.paid": oldOrder }),
  version("2025-01", { "order.paid": newOrder }),
  version("2025-04"),
];

const url = "https://app.example/hook";

/** Sends a request to the mock with a token of every scope. */
async function ask(mock: Mock, line: string, body?: object, version?: string) {
  const [method, path] = line.split(" ") as [string, string];
  const headers: Record<string, string> = { authorization: `Bearer ${mock.issueToken()}` };
  if (version) headers["service-version"] = version;
  if (body) headers["content-type"] = "application/json";
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await mock.fetch(`${mock.baseUrls[0]}${path}`, init);
  return { status: response.status, body: (await response.json()) as { id: string; api_version: string } };
}

describe("the version of an endpoint", () => {
  it("DEL-5, VER-2: determines the fields of a raw payload and their order", () => {
    const mock = createMock({ contracts });
    const bodies = ["2024-10", "2025-01", "2025-04"].map((api_version) => {
      const endpoint = mock.webhookEndpoints.create({ url, api_version });
      const events = mock.webhooks.emit("order.paid", data);
      return events.find(({ endpoint_id }) => endpoint_id === endpoint.id)?.body.replace(/^.*"data":/, "");
    });
    expect(bodies).toEqual([
      '{"id":"ord_1","customer":{"id":"cus_1"}}}',
      '{"currency":"eur","id":"ord_1","total":1200,"customer":{"id":"cus_1","email":"a@example.com"}}}',
      `${JSON.stringify(data)}}`,
    ]);
    mock.reset();
  });

  it("DEL-5: describes the data as JSON: a Date matches a string", () => {
    const described = z.object({ paid_at: z.string() });
    const mock = createMock({
      contracts: contracts.map(({ version: name }) => version(name, { "order.paid": described })),
    });
    mock.webhookEndpoints.create({ url });
    const [event] = mock.webhooks.emit("order.paid", { paid_at: new Date(0), other: 1 });
    expect(json(event as { body: string })["data"]).toEqual({ paid_at: "1970-01-01T00:00:00.000Z" });
    mock.reset();
  });

  it("DEL-5: keeps every field of a type that it does not describe", () => {
    const mock = createMock({ contracts });
    mock.webhookEndpoints.create({ url, api_version: "2024-10" });
    const [event] = mock.webhooks.emit("order.created", data);
    expect(json(event as { body: string })["data"]).toEqual(data);
    mock.reset();
  });

  it("DEL-5: rejects data without a field that it requires, before any event is created", () => {
    const mock = createMock({ contracts });
    mock.webhookEndpoints.create({ url, api_version: "2025-04" });
    mock.webhookEndpoints.create({ url, api_version: "2025-01" });
    const lacking = { ...data, customer: { id: "cus_1" } };
    expect(() => mock.webhooks.emit("order.paid", lacking)).toThrow(
      /^webhooks\.emit: `data\.customer\.email` does not match order\.paid of version 2025-01: /,
    );
    expect(() => mock.webhooks.emit("order.paid", null)).toThrow(
      /^webhooks\.emit: `data` does not match order\.paid of version 2025-01: /,
    );
    expect(mock.webhooks.events.size).toBe(0);
  });

  it("DEL-6, VER-9: changes only for later events; a redelivery keeps payload and version", async () => {
    const mock = createMock({ contracts });
    const { received, handle } = handler();
    mock.webhooks.receive(url, handle);
    const { id } = mock.webhookEndpoints.create({ url, api_version: "2024-10" });
    const [before] = mock.webhooks.emit("order.paid", data);
    const updated = await ask(mock, `PATCH /v1/webhooks/endpoints/${id}`, { api_version: "2025-01" });
    expect(updated.body.api_version).toBe("2025-01");
    const [after] = mock.webhooks.emit("order.paid", data);
    await mock.webhooks.idle();
    mock.webhooks.redeliver(String(before?.id));
    await mock.webhooks.idle();
    const seen = received.map(({ headers, body }) => [headers["webhook-id"], headers["webhook-api-version"], body]);
    expect(seen).toEqual([
      [before?.id, "2024-10", before?.body],
      [after?.id, "2025-01", after?.body],
      [before?.id, "2024-10", before?.body],
    ]);
    expect(before?.body).not.toContain("currency");
    expect(after?.body).toContain("currency");
  });

  it("DEL-6: stays the same after a release, as do the payloads of events", async () => {
    const mock = createMock({ contracts });
    const { received, handle } = handler();
    mock.webhooks.receive(url, handle);
    const { id } = mock.webhookEndpoints.create({ url });
    const [event] = mock.webhooks.emit("order.paid", data);
    await mock.webhooks.idle();
    mock.release();
    expect(mock.versions.current).toBe("2025-04");
    mock.webhooks.redeliver(String(event?.id));
    await mock.webhooks.idle();
    expect(received.map(({ body }) => body)).toEqual([event?.body, event?.body]);
    expect(received[1]?.headers["webhook-api-version"]).toBe("2025-01");
    expect(mock.webhookEndpoints.get(id)?.api_version).toBe("2025-01");
  });

  it("VER-6: does not change with the version of requests", async () => {
    const mock = createMock({ contracts });
    const { id } = mock.webhookEndpoints.create({ url, api_version: "2024-10" });
    const read = await ask(mock, `GET /v1/webhooks/endpoints/${id}`, undefined, "2025-04");
    const renamed = await ask(mock, `PATCH /v1/webhooks/endpoints/${id}`, { name: "renamed" }, "2025-04");
    expect([read.body.api_version, renamed.body.api_version]).toEqual(["2024-10", "2024-10"]);
    expect(mock.webhooks.emit("order.paid", data)[0]?.api_version).toBe("2024-10");
    mock.reset();
  });

  it("VER-7: defaults to Current, whatever the version of the request, and is that of its deliveries", async () => {
    const mock = createMock({ contracts });
    const input = { url, format: "raw", events: ["order.paid"] };
    const created = await ask(mock, "POST /v1/webhooks/endpoints", input, "2024-10");
    expect(created.body.api_version).toBe("2025-01");
    mock.release();
    expect(mock.webhooks.emit("order.paid", data)[0]?.api_version).toBe("2025-01");
    const later = await ask(mock, "POST /v1/webhooks/endpoints", input);
    expect(later.body.api_version).toBe("2025-04");
    mock.reset();
  });

  it("VER-8: must be supported, so nothing is delivered under another version", async () => {
    const mock = createMock({ contracts });
    const input = { url, format: "raw", events: ["order.paid"], api_version: "2023-01" };
    expect((await ask(mock, "POST /v1/webhooks/endpoints", input)).status).toBe(422);
    const { id } = mock.webhookEndpoints.create({ url });
    expect((await ask(mock, `PATCH /v1/webhooks/endpoints/${id}`, { api_version: "2023-01" })).status).toBe(422);
    expect(() => mock.webhookEndpoints.update(id, { api_version: "2023-01" })).toThrow(TypeError);
    expect(mock.webhooks.emit("order.paid", data).map(({ api_version }) => api_version)).toEqual(["2025-01"]);
    mock.reset();
  });
});

describe("an event type that only Next has", () => {
  const type = "order.shipped" as "order.paid";
  const loose = z.looseObject({ id: z.string() }) as Schema<never>;
  const next: Contract = {
    ...version("2025-04"),
    webhookEventTypes: [...packaged.webhookEventTypes, type],
    operations: packaged.operations.map((each) =>
      each.id === "webhooks:create_webhook_endpoint"
        ? { ...each, request: { body: z.looseObject({}) }, response: { ...each.response, body: loose } }
        : each,
    ),
  };
  const input = { url, format: "raw", events: [type, "order.paid"] };

  it("G-WHE-TYPES: is not delivered to an endpoint of another version", async () => {
    const mock = createMock({ contracts: [version("2024-10"), version("2025-01"), next] });
    const ids = [];
    for (const api_version of ["2025-01", "2025-04"]) {
      ids.push((await ask(mock, "POST /v1/webhooks/endpoints", { ...input, api_version }, "2025-04")).body.id);
    }
    expect(mock.webhooks.emit(type, {}).map(({ endpoint_id }) => endpoint_id)).toEqual([ids[1]]);
    expect(mock.webhooks.emit("order.paid", {}).map(({ endpoint_id }) => endpoint_id)).toEqual(ids);
    mock.reset();
  });

  it("G-WHE-TYPES: is left out of an endpoint that a version without it reads or updates, and stays stored", async () => {
    const mock = createMock({ contracts: [version("2024-10"), version("2025-01"), next] });
    const { id } = (await ask(mock, "POST /v1/webhooks/endpoints", input, "2025-04")).body;
    for (const [line, body] of [
      [`GET /v1/webhooks/endpoints/${id}`],
      [`PATCH /v1/webhooks/endpoints/${id}`, { name: "x" }],
    ] as const) {
      expect(await ask(mock, line, body, "2025-01")).toMatchObject({ status: 200, body: { events: ["order.paid"] } });
    }
    expect(mock.webhookEndpoints.get(id)?.events).toEqual([type, "order.paid"]);
  });
});

describe("an endpoint whose version a release has removed", () => {
  it("G-REMOVED: keeps its version and its payloads, through several releases", async () => {
    const mock = createMock({ contracts });
    const { received, handle } = handler();
    mock.webhooks.receive(url, handle);
    const { id } = mock.webhookEndpoints.create({ url, api_version: "2024-10" });
    const [before] = mock.webhooks.emit("order.paid", data);
    for (let i = 0; i < 3; i++) mock.release();
    const [after] = mock.webhooks.emit("order.paid", data);
    await mock.webhooks.idle();
    expect(after?.api_version).toBe("2024-10");
    expect(json(after as { body: string })["data"]).toEqual({ id: "ord_1", customer: { id: "cus_1" } });
    expect(received.map(({ headers }) => headers["webhook-api-version"])).toEqual(["2024-10", "2024-10"]);
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([before?.id, after?.id]);
    const rejected = await ask(mock, `PATCH /v1/webhooks/endpoints/${id}`, { api_version: "2024-10" });
    expect(rejected.status).toBe(422);
  });

  it("G-REMOVED: receives nothing if removedVersions is stop", async () => {
    const mock = createMock({ contracts, assumptions: { removedVersions: "stop" } });
    const { received, handle } = handler();
    mock.webhooks.receive(url, handle);
    mock.webhookEndpoints.create({ url, api_version: "2024-10" });
    const [delivered] = mock.webhooks.emit("order.paid", data);
    await mock.webhooks.idle();
    const [waiting] = mock.webhooks.emit("order.paid", data);
    mock.release();
    await mock.webhooks.idle();
    expect(mock.webhooks.emit("order.paid", data)).toEqual([]);
    expect(mock.webhooks.events.get(String(waiting?.id))?.status).toBe("skipped");
    expect(received).toHaveLength(1);
    expect(() => mock.webhooks.redeliver(String(delivered?.id))).toThrow(/its version 2024-10 was removed/);
  });
});
