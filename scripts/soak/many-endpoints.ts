import { call } from "./call.ts";
import { longestWaitDuring } from "./longest-wait.ts";
import type { Report } from "./report.ts";
import type { TestedServer } from "./server.ts";

/** The number of times that the event is emitted. */
const TIMES = 5;

/** The maximum time that other requests may wait on an idle machine, in milliseconds. */
const MAX_WAIT = 50;

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
  if (longest > MAX_WAIT)
    report.violation(`others waited ${longest} ms while ${endpoints} endpoints received an event`);
  await post("/reset", {});
}
