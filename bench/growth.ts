/**
 * Measures how cost grows with work: `npm run bench -- growth`. Each table has its exponent: 1 is linear, 0 does not grow.
 */
import { Pool } from "undici";
import { createMock, type Mock } from "../mock/index.ts";
import { grow, milliseconds, scaled } from "./harness.ts";
import { ENDPOINT, start } from "./servers.ts";

const REQUESTS_PER_CLIENT = scaled(200, 10);
const REPEATS = scaled(200, 2);

await grow({
  sizes: [1_000, 10_000, 100_000],
  metrics: ["ingesting them, 1,000 per request", "listing them", "a snapshot and its restoration"].map((what) => ({
    title: `stored events: ${what}`,
    unit: "ms",
  })),
  measure: async (events) => {
    const mock = createMock();
    const ingesting = await milliseconds(async () => {
      for (let first = 0; first < events; first += 1_000) await ingest(mock, bodyOf(1_000));
    });
    return [ingesting, await repeated(() => mock.events.list()), await repeated(() => mock.restore(mock.snapshot()))];
  },
});

await grow({
  sizes: [1, 10, 100, 1_000],
  metrics: [{ title: "endpoints that receive an event: emitting it, until all deliveries have ended", unit: "ms" }],
  measure: async (endpoints) => {
    const mock = createMock();
    for (let index = 0; index < endpoints; index++) {
      const { url } = mock.webhookEndpoints.create({
        url: `https://receiver.example/${index}`,
        events: ["order.paid"],
      });
      mock.webhooks.receive(url, () => new Response(null, { status: 204 }));
    }
    const emit = async () => {
      mock.webhooks.emit("order.paid", {});
      await mock.webhooks.idle();
    };
    await emit();
    return [await milliseconds(emit)];
  },
});

await grow({
  sizes: [1, 10, 100, 1_000, 10_000],
  metrics: [{ title: "events of a batch: a request that ingests them", unit: "ms" }],
  measure: async (events) => {
    const [mock, body] = [createMock(), bodyOf(events)];
    return [await repeated(() => ingest(mock, body), Math.ceil(REPEATS / events))];
  },
});

const server = await start("mock", { webhookEndpoints: [{ id: ENDPOINT.id }], tokens: [{ token: "bench-token" }] });
const headers = { authorization: "Bearer bench-token" };
await grow({
  sizes: [1, 4, 16, 64, 256],
  metrics: [{ title: `concurrent clients of the server: ${REQUESTS_PER_CLIENT} reads by each`, unit: "ms" }],
  measure: async (connections) => {
    const pool = new Pool(server.url, { connections });
    const read = async () => {
      const { statusCode, body } = await pool.request({
        method: "GET",
        path: `/v1/webhooks/endpoints/${ENDPOINT.id}`,
        headers,
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`The server answered ${statusCode}.`);
    };
    const client = async () => {
      for (let count = 0; count < REQUESTS_PER_CLIENT; count++) await read();
    };
    const time = await milliseconds(() => Promise.all(Array.from({ length: connections }, client)));
    await pool.close();
    return [time];
  },
});
server.stop();

function bodyOf(events: number): string {
  const event = (_: unknown, index: number) => ({
    name: "api.call",
    external_customer_id: "acme",
    metadata: { index },
  });
  return JSON.stringify({ events: Array.from({ length: events }, event) });
}

async function ingest(mock: Mock, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  const { status } = await mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, { method: "POST", headers, body });
  if (status !== 200) throw new Error(`The mock answered ${status}.`);
}

/** Returns the mean time of several runs, in milliseconds. */
async function repeated(run: () => unknown, times: number = REPEATS): Promise<number> {
  const total = await milliseconds(async () => {
    for (let count = 0; count < times; count++) await run();
  });
  return total / times;
}
