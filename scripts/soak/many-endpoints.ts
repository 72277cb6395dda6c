import { call, longestWaitDuring } from "./call.ts";
import type { Report } from "./report.ts";
import type { TestedServer } from "./server.ts";

/** The maximum time that other requests may wait on an idle machine, in milliseconds. The goal is 50. */
const MAX_WAIT = 80;

/** Emits one event to many endpoints, and measures how long other requests wait. */
export async function emitToManyEndpoints(report: Report, server: TestedServer, endpoints: number): Promise<void> {
  const post = (path: string, body: object) =>
    call(report, `${server.url}/__mock${path}`, { method: "POST", body: JSON.stringify(body) });
  for (let index = 0; index < endpoints; index++) {
    await post("/webhook-endpoints", { url: `https://app.example/${index}`, events: ["order.paid"] });
  }
  const waited = await longestWaitDuring(report, server, async () => {
    const answer = await post("/webhooks/emit", { type: "order.paid", data: { id: "ord_1" } });
    const created = answer?.status === 201 ? ((await answer.json()) as unknown[]).length : 0;
    if (created !== endpoints) report.violation(`emit created ${created} of ${endpoints} events`);
    await post("/webhooks/idle", {});
  });
  console.log(`          ${endpoints} endpoints, others waited ${Math.round(waited)} ms`);
  if (waited > MAX_WAIT) report.violation(`others waited ${waited} ms while ${endpoints} endpoints received an event`);
  await post("/reset", {});
}
