import { describe, expect, it, vi } from "vitest";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { contract as deprecated } from "../../versions/2024-10/contract.ts";
import { contract as current } from "../../versions/2025-01/contract.ts";
import { contract as next } from "../../versions/2025-04/contract.ts";
import { type Adapter, openAdapter, type Received } from "../support/adapter.ts";
import { endpointInput } from "../support/samples.ts";
import { any, count, standardObject, standardSchema, text } from "../support/standard-schema.ts";

const version = "2025-04";
const CREATE = "POST /v1/webhooks/endpoints";

/** Opens a mock whose Next has an operation with other schemas. */
function openWith(id: string, change: (operation: Operation) => Partial<Operation>): Promise<Adapter> {
  const operations = next.operations.map((each) => (each.id === id ? { ...each, ...change(each) } : each));
  return openAdapter({ contracts: [deprecated, current, { ...next, operations }] });
}

const openCreate = (body: Schema) => openWith("webhooks:create_webhook_endpoint", () => ({ request: { body } }));

function details({ status, body }: Received): unknown[] {
  expect(status).toBe(422);
  return (body as { detail: unknown[] }).detail;
}

describe("a body whose schema is a Standard Schema of another library", () => {
  const body = standardObject({ url: text, format: any, events: any, team: text });

  it("VER-2: is accepted only if the schema accepts it, and rejected in its words", async () => {
    const { send } = await openCreate(body);
    const create = (fields: object) => send(CREATE, { version, json: { ...endpointInput(), ...fields } });
    expect((await create({ team: "payments" })).status).toBe(201);
    const problem = { loc: ["body", "team"], msg: "Expected a string" };
    expect(details(await create({ team: 5 }))).toEqual([{ ...problem, type: "value_error", input: 5 }]);
    expect(details(await create({}))).toEqual([{ ...problem, type: "missing" }]);
  });

  it("may be a function, and return its issues as a list that is also the result", async () => {
    const failed = Object.assign([{ message: "No", path: ["url"] }], { issues: [{ message: "No", path: ["url"] }] });
    const callable = Object.assign(
      () => {},
      standardSchema<never>(() => failed as never),
    );
    const { send } = await openCreate(callable);
    expect(details(await send(CREATE, { version, json: endpointInput() }))).toMatchObject([
      { loc: ["body", "url"], msg: "No" },
    ]);
  });

  it("G-422-MAX: has at most as many problems as the policy lists", async () => {
    const issues = Array.from({ length: 150_000 }, (_, index) => ({ message: "No", path: ["events", index] }));
    const { send } = await openCreate(standardSchema(() => ({ issues })));
    expect(details(await send(CREATE, { version, json: endpointInput() }))).toHaveLength(100);
  });
});

describe("query parameters whose schema is a Standard Schema of another library", () => {
  it("VER-2: are numbers where the schema rejects strings", async () => {
    const query = standardObject({ page: count, limit: count });
    const { send, mock } = await openWith("products:list", () => ({ request: { query } }));
    for (const name of ["one", "two", "three"]) mock.products.create({ name });
    const listed = await send("GET /v1/products/?page=2&limit=2", { version });
    expect(listed.body).toMatchObject({ items: [{ name: "three" }], pagination: { max_page: 2 } });
    const rejected = await send("GET /v1/products/?page=two&limit=2", { version });
    expect(details(rejected)).toEqual([
      { loc: ["query", "page"], msg: "Expected a count", type: "value_error", input: "two" },
    ]);
  });
});

describe("a response whose schema is a Standard Schema of another library", () => {
  const openGet = (body: Schema) =>
    openWith("webhooks:get_webhook_endpoint", ({ response }) => ({ response: { ...response, body } }));
  const get = ({ send, mock }: Adapter) =>
    send(`GET /v1/webhooks/endpoints/${mock.webhookEndpoints.create().id}`, { version });

  it("VER-2: has what the schema keeps", async () => {
    const { body } = await get(await openGet(standardObject({ url: text, enabled: any })));
    expect(Object.keys(body as object)).toEqual(["url", "enabled"]);
  });
});

describe("a schema that validates asynchronously", () => {
  it("fails with a message that says so", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const { send } = await openCreate(standardSchema(() => Promise.reject(new Error("late"))));
    const { status, body } = await send(CREATE, { version, json: endpointInput() });
    expect(status).toBe(500);
    const detail = 'A schema of "by-hand" in the contract validates asynchronously. It must be synchronous.';
    expect(body).toMatchObject({ error: "MockFailure", detail });
    printed.mockRestore();
  });
});

describe("the webhookData of a contract", () => {
  it("DEL-5: may be Standard Schemas of another library", async () => {
    const webhookData: Contract["webhookData"] = { "order.paid": standardObject({ id: text }) };
    const { mock } = await openAdapter({ contracts: [deprecated, current, { ...next, webhookData }] });
    mock.webhookEndpoints.create({ api_version: version });
    expect(() => mock.webhooks.emit("order.paid", { id: 1 })).toThrow(
      "webhooks.emit: `data.id` does not match order.paid of version 2025-04: Expected a string.",
    );
    const [event] = mock.webhooks.emit("order.paid", { id: "ord_1", other: 1 });
    expect(JSON.parse(event?.body ?? "")).toMatchObject({ data: { id: "ord_1" } });
    expect(event?.body).not.toContain("other");
    mock.reset();
  });
});
