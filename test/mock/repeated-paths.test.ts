import { expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";

function setUp() {
  const mock = createMock({ seed: 1 });
  const headers = { Authorization: `Bearer ${mock.issueToken()}`, "Content-Type": "application/json" };
  const send = (path: string, init: RequestInit = {}) =>
    mock.fetch(`${mock.baseUrls[0]}/v1/webhooks/endpoints/${path}`, { headers, ...init });
  return { mock, send };
}

it("responds to a path that is requested again as to the first request", async () => {
  const { mock, send } = setUp();
  const { id } = mock.webhookEndpoints.create();
  const paths = [id, "not-a-uuid", crypto.randomUUID(), "x".repeat(300), `${id}?again=1`, `${id}/more`];
  const statuses = async () => {
    const responses = [];
    for (const path of paths) responses.push((await send(path)).status);
    return responses;
  };
  const first = await statuses();
  expect(first).toEqual([200, 422, 404, 422, 200, 404]);
  expect(await statuses()).toEqual(first);
});

it("distinguishes the methods of a path that is requested again", async () => {
  const { mock, send } = setUp();
  const { id } = mock.webhookEndpoints.create();
  const change = () => send(id, { method: "PATCH", body: JSON.stringify({ name: "new" }) });
  const responses = [await send(id), await change(), await send(id), await change(), await send(id, { method: "PUT" })];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 405]);
  expect(mock.requests.list().map(({ operation }) => operation)).toEqual([
    "webhooks:get_webhook_endpoint",
    "webhooks:update_webhook_endpoint",
    "webhooks:get_webhook_endpoint",
    "webhooks:update_webhook_endpoint",
    null,
  ]);
});

it("finds each of more paths than it remembers", async () => {
  const { mock, send } = setUp();
  const ids = Array.from({ length: 1_100 }, () => mock.webhookEndpoints.create().id);
  const found = [];
  for (const id of [...ids, ...ids]) found.push(((await (await send(id)).json()) as { readonly id: string }).id);
  expect(found).toEqual([...ids, ...ids]);
});

it("records the path of each request", async () => {
  const { mock, send } = setUp();
  const paths = ["a", "a", "b", "a"];
  for (const path of paths) await send(path);
  expect(mock.requests.list().map(({ path }) => path.split("/").at(-1))).toEqual(paths);
});
