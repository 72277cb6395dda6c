import { describe, expect, it, vi } from "vitest";
import { createMock, type WebhookHandler } from "../../mock/index.ts";
import { run } from "../support/program.ts";
import { dataOf, emitted, failing, receiver, receiving } from "./mocked.ts";

describe("many deliveries at once", () => {
  it("G-SEQUENCE: reach each endpoint in order and one at a time, and different endpoints in parallel", async () => {
    const mock = createMock();
    const waiting: (() => void)[] = [];
    const open = new Set<unknown>();
    let overlaps = 0;
    const start = () =>
      receiver((response, { socket: { localPort } }) => {
        if (open.has(localPort)) overlaps += 1;
        open.add(localPort);
        // No receiver responds before every endpoint has received its next event.
        waiting.push(() => response.end(() => open.delete(localPort)));
        if (waiting.length === 4) for (const end of waiting.splice(0)) setTimeout(end, 10);
      });
    const receivers = await Promise.all([start(), start(), start(), start()]);
    for (const { url } of receivers) mock.webhookEndpoints.create({ url });
    for (let i = 0; i < 10; i++) mock.webhooks.emit("order.paid", i);
    await mock.webhooks.idle();
    for (const { received } of receivers) expect(received.map(dataOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(overlaps).toBe(0);
  });

  it("wait neither for a receiver of another endpoint that hangs, nor for an earlier event's retry", async () => {
    const answer: WebhookHandler = async (request) =>
      (await request.json()).data === 0 ? failing(request) : new Response();
    const { mock, received } = receiving({}, { answer });
    const hangs = mock.webhookEndpoints.create({ url: "https://app.example/hangs" });
    mock.webhooks.receive(hangs.url, () => new Promise(() => {}));
    for (let i = 0; i < 5; i++) mock.webhooks.emit("order.paid", i);
    await expect.poll(() => received.map(dataOf)).toEqual([0, 1, 2, 3, 4]);
    mock.reset();
    await mock.webhooks.idle();
  });

  it("start after emit has returned, and are awaited by idle, including those that a handler emits", async () => {
    const answer: WebhookHandler = async (request) => {
      if ((await request.json()).type === "order.paid") mock.webhooks.emit("subscription.active", {});
      return new Response();
    };
    const { mock, received } = receiving({}, { answer });
    await mock.webhooks.idle();
    mock.webhooks.emit("order.paid", {});
    expect(received).toEqual([]);
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list().map(({ type }) => type)).toEqual(["order.paid", "subscription.active"]);
  });
});

it("the stored events and deliveries are the newest thousand, and every pending event", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer: WebhookHandler = async (request) => {
    if ((await request.json()).data === 1_099) resolve();
    return new Response();
  };
  const { mock } = receiving({}, { answer, events: ["order.paid"] });
  const slow = mock.webhookEndpoints.create({ url: "https://app.example/slow", events: ["order.created"] });
  let kept: string | undefined;
  mock.webhooks.receive(slow.url, async () => {
    await promise;
    kept = mock.webhooks.events.get(String(first?.id))?.status;
    return new Response();
  });
  const [first] = mock.webhooks.emit("order.created", {});
  for (let i = 0; i < 1_100; i++) mock.webhooks.emit("order.paid", i);
  expect(mock.webhooks.events.size).toBe(1_101);
  await mock.webhooks.idle();
  expect(kept).toBe("pending");
  expect([mock.webhooks.deliveries.size, mock.webhooks.events.size]).toEqual([1_000, 1_000]);
  expect(dataOf(mock.webhooks.events.list().at(-1))).toBe(1_099);
});

it("a delivery that the mock fails to process, because `now` throws, is reported", async () => {
  const report = vi.spyOn(console, "error").mockReturnValue();
  const now = vi.fn(() => Date.now());
  const { mock } = emitted(failing, { now });
  now.mockImplementation(() => expect.unreachable("the clock stopped"));
  await mock.webhooks.idle();
  const message = expect.stringMatching(/^The mock failed to process a webhook delivery\. .*the clock stopped/);
  expect(report).toHaveBeenCalledExactlyOnceWith(message);
});

describe("a process after emit", () => {
  const setUp = (url: string) => `
    const retry = { attempts: 2, timeout: 300, firstDelay: 60_000, maxDelay: 60_000, jitter: 0 };
    const mock = createMock({ assumptions: { retry } });
    const { url } = mock.webhookEndpoints.create({ url: ${url} });
    mock.webhooks.emit("order.paid", {});
  `;

  it.each([
    [
      "is kept alive by idle while a handler hangs, but not by a pending retry",
      `${setUp("undefined")}
      mock.webhooks.receive(url, () => new Promise(() => {}));
      await mock.webhooks.idle(); console.log(mock.webhooks.deliveries.list()[0].error);`,
      "The receiver did not finish its response within 300 ms.",
    ],
    [
      "stays alive until a due delivery was made",
      `import { createServer } from "node:http";
      const server = createServer((_, response) => {
        response.setHeader("connection", "close").end(); server.close(); console.log("received");
      });
      server.listen(0, "127.0.0.1", () => { ${setUp('"http://127.0.0.1:" + server.address().port')} });`,
      "received",
    ],
  ])("%s", async (_, program, expected) => {
    const { output, status } = await run(program);
    expect([output.trim(), status]).toEqual([expected, 0]);
  });
});
