import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../mock/server.ts";

/** Starts a server whose time is fixed. `call` requests a control route: `call("POST /clock/advance", { minutes: 20 })`. */
async function served() {
  const { mock, url, close } = await startServer({ now: "2025-03-01T00:00:00Z" });
  onTestFinished(() => close());
  const call = async (line: string, body?: object) => {
    const [method = "GET", path = ""] = line.split(" ");
    const init = body ? { method, body: JSON.stringify(body) } : { method };
    const response = await fetch(`${url}/__mock${path}`, init);
    return { status: response.status, body: await response.json() };
  };
  return { mock, call };
}

test("the clock is read and advanced over HTTP", async () => {
  const { mock, call } = await served();
  expect(await call("GET /clock")).toEqual({ status: 200, body: { now: "2025-03-01T00:00:00.000000Z" } });
  const advanced = await call("POST /clock/advance", { minutes: 20 });
  expect(advanced).toEqual({ status: 200, body: { now: "2025-03-01T00:20:00.000000Z" } });
  expect(mock.clock.now()).toEqual(new Date("2025-03-01T00:20:00Z"));
  const { body } = await call("POST /clock/advance", { to: "2025-04-01T00:00:00Z" });
  expect(body).toEqual({ now: "2025-04-01T00:00:00.000000Z" });
});

test("advancing the clock is a change", async () => {
  const { call } = await served();
  const { revision } = (await call("GET /changes")).body;
  await call("POST /clock/advance", { minutes: 20 });
  expect((await call("GET /changes")).body.revision).not.toBe(revision);
});

test("a response is sent after the deliveries that became due", async () => {
  const { mock, call } = await served();
  const { url } = mock.webhookEndpoints.create();
  mock.webhooks.receive(url, () => new Response(null, { status: 500 }));
  const [event] = mock.webhooks.emit("order.paid", {});
  await call("POST /clock/advance", { days: 1 });
  expect(mock.webhooks.events.get(event!.id)).toMatchObject({ status: "failed", attempts: 10 });
});

test("an invalid time is answered with 400", async () => {
  const { call } = await served();
  const detail = 'clock.advance: `minutes` must be a finite number of at least 0; received "20".';
  expect(await call("POST /clock/advance", { minutes: "20" })).toEqual({
    status: 400,
    body: { error: "InvalidInput", detail },
  });
  expect(await call("POST /clock/advance")).toMatchObject({ status: 400 });
});
