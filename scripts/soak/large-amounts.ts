import { longestWaitDuring } from "./longest-wait.ts";
import { call, type Report } from "./report.ts";
import type { TestedServer } from "./server.ts";
import { ingest } from "./worst-bodies.ts";

/** The number of times that the event is emitted. */
const TIMES = 5;

/** The maximum time that other requests may wait on an idle machine, in milliseconds. */
const MAX_WAIT_FOR_EMIT = 250;

/** Emits an event to many endpoints several times, and measures how long other requests wait. */
export async function emitToManyEndpoints(report: Report, server: TestedServer, endpoints: number): Promise<void> {
  const post = (path: string, body: object) =>
    call(report, `${server.url}/__mock${path}`, { method: "POST", body: JSON.stringify(body) });
  for (let index = 0; index < endpoints; index++) {
    await post("/webhook-endpoints", { url: `https://app.example/${index}`, events: ["order.paid"] });
  }
  const waits: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const wait = await longestWaitDuring(report, server, async () => {
      const answer = await post("/webhooks/emit", { type: "order.paid", data: { id: "ord_1" } });
      const created = answer?.status === 201 ? ((await answer.json()) as unknown[]).length : 0;
      if (created !== endpoints) report.violation(`emit created ${created} of ${endpoints} events`);
      await post("/webhooks/idle", {});
    });
    waits.push(Math.round(wait));
  }
  console.log(`          ${endpoints} endpoints, others waited ${waits.join(", ")} ms`);
  const longest = Math.max(...waits);
  if (longest > MAX_WAIT_FOR_EMIT)
    report.violation(`others waited ${longest} ms while ${endpoints} endpoints received an event`);
  await post("/reset", {});
}

const BATCH = 1000;

/** The maximum time that other requests may wait on an idle machine, in milliseconds. */
const MAX_WAIT = 400;

/** Stores `count` events while it creates snapshots and reads lists, and measures how long other requests wait. */
export async function manyEvents(report: Report, server: TestedServer, count: number): Promise<void> {
  const control = (line: string) => {
    const [method = "", path = ""] = line.split(" ");
    return call(report, `${server.url}/__mock${path}`, { method });
  };
  let stored = 0;
  const waited = await longestWaitDuring(report, server, async () => {
    for (let first = 0; first < count; first += BATCH) {
      const answer = await ingest(report, server, batch(first));
      if (answer?.status === 200) stored += ((await answer.json()) as { inserted: number }).inserted;
      else report.violation(`a batch got ${answer?.status ?? "no response"}`);
      if ((first / BATCH) % 20 === 0) await control("POST /snapshots");
      if ((first / BATCH) % 50 === 0)
        await Promise.all([control("GET /events"), control("GET /changes"), control("GET /usage")]);
    }
    await control("POST /reset");
  });
  console.log(`          ${stored} events stored, other requests waited ${Math.round(waited)} ms`);
  if (waited > MAX_WAIT) report.violation(`others waited ${Math.round(waited)} ms; at most ${MAX_WAIT} ms`);
  if (stored !== count) report.violation(`${stored} of ${count} events were stored`);
}

function batch(first: number): string {
  const events = Array.from({ length: BATCH }, (_, index) => ({
    name: "api.call",
    external_customer_id: `customer-${index % 100}`,
    external_id: `event-${first + index}`,
    metadata: { tokens: index },
  }));
  return JSON.stringify({ events });
}
