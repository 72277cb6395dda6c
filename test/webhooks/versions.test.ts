import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { contract as packaged } from "#current/contract";
import type { MockOptions } from "../../mock/index.ts";
import type { Contract, Schema } from "../../src/contract/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { AFTER_NEXT, CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";
import { dataOf, handler } from "./mocked.ts";

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

const older = [version(DEPRECATED, { "order.paid": oldOrder }), version(CURRENT, { "order.paid": newOrder })];
const contracts = [...older, version(NEXT)];

const url = "https://app.example/hook";

/** Opens a mock of these contracts whose deliveries go to a function. */
async function opened(options: MockOptions = {}) {
  const { mock, send } = await openAdapter({ contracts, ...options });
  onTestFinished(() => mock.reset());
  const { received, handle } = handler();
  mock.webhooks.receive(url, handle);
  const create = (api_version?: string) => mock.webhookEndpoints.create({ url, ...(api_version && { api_version }) });
  const seen = () => received.map(({ headers }) => [headers["webhook-id"], headers["webhook-api-version"]]);
  return { mock, send, received, create, seen };
}

describe("the version of an endpoint", () => {
  it("DEL-5, VER-2: determines the fields of a raw payload and their order", async () => {
    const { mock, create } = await opened();
    for (const name of [DEPRECATED, CURRENT, NEXT]) create(name);
    const bodies = mock.webhooks.emit("order.paid", data).map(({ body }) => body.replace(/^.*"data":/, ""));
    expect(bodies).toEqual([
      '{"id":"ord_1","customer":{"id":"cus_1"}}}',
      '{"currency":"eur","id":"ord_1","total":1200,"customer":{"id":"cus_1","email":"a@example.com"}}}',
      `${JSON.stringify(data)}}`,
    ]);
    expect(dataOf(mock.webhooks.emit("order.created", data)[0])).toEqual(data);
  });

  it.each([
    [{ ...data, customer: { id: "cus_1" } }, /^webhooks\.emit: order\.paid .*: data\.customer\.email: Field required$/],
    [null, /^webhooks\.emit: order\.paid of version [\d-]+ does not match the contract: data: /],
  ])("DEL-5: rejects data without a field that it requires, before any event is created", async (lacking, message) => {
    const { mock, create } = await opened();
    for (const name of [NEXT, CURRENT]) create(name);
    expect(() => mock.webhooks.emit("order.paid", lacking)).toThrow(message);
    expect(mock.webhooks.events.size).toBe(0);
  });
});

it("G-WHE-TYPES, G-NEXTNEXT: a type that only Next has is neither delivered to nor shown for endpoints of other versions, except the copy of Next", async () => {
  const type = "order.shipped" as "order.paid";
  const loose = z.looseObject({ id: z.string() }) as Schema<never>;
  const next: Contract = {
    ...version(NEXT),
    webhookEventTypes: [...packaged.webhookEventTypes, type],
    operations: packaged.operations.map((each) =>
      each.id === "webhooks:create_webhook_endpoint"
        ? { ...each, request: { body: z.looseObject({}) }, response: { ...each.response, body: loose } }
        : each,
    ),
  };
  const { mock, send } = await opened({ contracts: [version(DEPRECATED), version(CURRENT), next] });
  const input = { url, format: "raw", events: [type, "order.paid"] };
  const create = async (api_version: string, version: string): Promise<string> => {
    const { body } = await send("POST /v1/webhooks/endpoints", { version, json: { ...input, api_version } });
    return (body as { id: string }).id;
  };
  const ids = [await create(CURRENT, NEXT), await create(NEXT, NEXT)];
  const receivers = (name: "order.paid") => mock.webhooks.emit(name, {}).map(({ endpoint_id }) => endpoint_id);
  expect([receivers(type), receivers("order.paid")]).toEqual([[ids[1]], ids]);
  const path = `/v1/webhooks/endpoints/${ids[1]}`;
  const answers = [await send(`GET ${path}`), await send(`PATCH ${path}`, { json: { name: "x" } })];
  expect(answers).toMatchObject([1, 2].map(() => ({ status: 200, body: { events: ["order.paid"] } })));
  expect(mock.webhookEndpoints.get(String(ids[1]))?.events).toEqual([type, "order.paid"]);
  mock.release();
  ids.push(await create(AFTER_NEXT, AFTER_NEXT));
  expect(receivers(type)).toEqual(ids.slice(1));
});

describe("an endpoint whose version a release has removed", () => {
  it("G-REMOVED: keeps its version and its payloads, through several releases", async () => {
    const { mock, send, create, seen } = await opened();
    const { id } = create(DEPRECATED);
    const [before] = mock.webhooks.emit("order.paid", data);
    for (let i = 0; i < 3; i++) mock.release();
    const [after] = mock.webhooks.emit("order.paid", data);
    await mock.webhooks.idle();
    expect(dataOf(after)).toEqual({ id: "ord_1", customer: { id: "cus_1" } });
    expect(seen()).toEqual([before, after].map((event) => [event?.id, DEPRECATED]));
    const update = { version: null, json: { api_version: DEPRECATED } };
    expect((await send(`PATCH /v1/webhooks/endpoints/${id}`, update)).status).toBe(422);
  });
});
