import { expect, it } from "vitest";
import { createEngine } from "../../mock/api/create-engine.ts";
import { Control } from "../../mock/control/control.ts";
import { listJson } from "../../mock/control/list-json.ts";
import type { IncomingRequest } from "../../mock/http/request.ts";
import { authorized, started } from "../support/started-server.ts";

it("a page ends after four million characters, and the next one continues", async () => {
  const server = await started();
  const headers = authorized(server);
  const body = JSON.stringify({ events: [{ name: "x".repeat(1_000_000) }] });
  for (let times = 0; times < 7; times++)
    await fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers, body });
  const found: number[][] = [];
  for (let path: string | undefined = "/__mock/requests"; path; ) {
    const response: Response = await fetch(server.url + path);
    found.push(((await response.json()) as { id: number }[]).map(({ id }) => id));
    path = /<([^>]+)>/.exec(response.headers.get("link") ?? "")?.[1];
  }
  expect(found).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7],
  ]);
});

it("a list is converted in slices", () => {
  const items = Array.from({ length: 10_000 }, (_, id) => ({ id, text: "x".repeat(200) }));
  const work = listJson(items);
  let pauses = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) pauses += 1;
  expect(pauses).toBeGreaterThan(20);
  expect(step.value).toEqual({ json: JSON.stringify(items), count: 10_000 });
});

/** A request to the control API whose body is there at once. */
function arrived(path: string, body: object): IncomingRequest {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const request = new Request(`http://mock.test/__mock${path}`, { method: "POST" });
  const { method, url, headers, signal } = request;
  return { method, url, headers, signal, body: bytes, arrayBuffer: async () => bytes, text: async () => "" };
}

it("other work gets turns while the result of an emit to many endpoints is converted", async () => {
  const mock = createEngine({});
  for (let index = 0; index < 2_000; index++) {
    mock.webhookEndpoints.create({ url: `https://app.example/${index}`, events: ["order.paid"] });
  }
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const emit = arrived("/webhooks/emit", { type: "order.paid", data: "x".repeat(10_000) });
  const response = await new Control(mock).respond(emit);
  isOver = true;
  expect([response.status, response.body?.length]).toEqual([201, expect.toSatisfy((length) => length > 20_000_000)]);
  expect(turns).toBeGreaterThan(0);
});
