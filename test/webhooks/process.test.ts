import { describe, expect, it } from "vitest";
import { run } from "../support/program.ts";

describe("a process after emit", () => {
  it("is not kept alive by pending retries (G-RETRY)", async () => {
    const { output, status } = await run(`
      const mock = createMock({ assumptions: { retry: { attempts: 10, timeoutMs: 10_000, firstDelayMs: 60_000, maxDelayMs: 60_000, jitter: 0 } } });
      mock.webhookEndpoints.create({ url: "http://127.0.0.1:9/" });
      mock.webhookEndpoints.create({ url: "https://app.example/" });
      mock.webhooks.receive("https://app.example/", () => new Response(null, { status: 500 }));
      mock.webhooks.emit("order.paid", {});
      await mock.webhooks.idle();
      console.log(mock.webhooks.events.list().map(({ status, attempts }) => status + " " + attempts).join());
    `);
    expect(output.trim()).toBe("pending 1,pending 1");
    expect(status).toBe(0);
  });

  it("is not kept alive by a handler that hangs", async () => {
    const { output, status } = await run(`
      const retry = { attempts: 1, timeoutMs: 60_000, firstDelayMs: 0, maxDelayMs: 0, jitter: 0 };
      const mock = createMock({ assumptions: { retry } });
      const { url } = mock.webhookEndpoints.create();
      mock.webhooks.receive(url, () => { console.log("called"); return new Promise(() => {}); });
      mock.webhooks.emit("order.paid", {});
    `);
    expect(output.trim()).toBe("called");
    expect(status).toBe(0);
  });

  it("is kept alive by idle while a handler hangs, until its timeout", async () => {
    const { output, status } = await run(`
      const retry = { attempts: 1, timeoutMs: 300, firstDelayMs: 0, maxDelayMs: 0, jitter: 0 };
      const mock = createMock({ assumptions: { retry } });
      const { url } = mock.webhookEndpoints.create();
      mock.webhooks.receive(url, () => new Promise(() => {}));
      mock.webhooks.emit("order.paid", {});
      await mock.webhooks.idle();
      console.log(mock.webhooks.deliveries.list()[0].error);
    `);
    expect(output.trim()).toBe("The receiver did not finish its response within 300 ms.");
    expect(status).toBe(0);
  });

  it("accepts the longest delay of a timer", async () => {
    const { output, status } = await run(`
      const retry = { attempts: 2, timeoutMs: 1_000, firstDelayMs: 2 ** 31 - 1, maxDelayMs: 2 ** 31 - 1, jitter: 0 };
      const mock = createMock({ assumptions: { retry } });
      const { url } = mock.webhookEndpoints.create();
      mock.webhooks.receive(url, () => new Response(null, { status: 500 }));
      mock.webhooks.emit("order.paid", {});
      await mock.webhooks.idle();
      setTimeout(() => console.log(mock.webhooks.deliveries.size), 50);
    `);
    expect(output.trim()).toBe("1");
    expect(status).toBe(0);
  });

  it("stays alive until a due delivery was made", async () => {
    const { output, status } = await run(`
      import { createServer } from "node:http";
      const server = createServer((request, response) => { response.setHeader("connection", "close").end(); server.close(); console.log("received"); });
      server.listen(0, "127.0.0.1", () => {
        const mock = createMock();
        mock.webhookEndpoints.create({ url: "http://127.0.0.1:" + server.address().port });
        mock.webhooks.emit("order.paid", {});
      });
    `);
    expect(output.trim()).toBe("received");
    expect(status).toBe(0);
  });
});
