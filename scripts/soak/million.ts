import { call, whileAnswering } from "./call.ts";
import type { Report } from "./report.ts";
import type { Soaked } from "./server.ts";
import { ingest } from "./worst.ts";

const BATCH = 1000;

/** Stores so many events, takes snapshots and reads lists meanwhile, and looks how long others wait. */
export async function manyEvents(report: Report, server: Soaked, count: number): Promise<void> {
  const control = (line: string) => {
    const [method = "", path = ""] = line.split(" ");
    return call(report, `${server.url}/__mock${path}`, { method });
  };
  let stored = 0;
  const waited = await whileAnswering(report, server, async () => {
    for (let first = 0; first < count; first += BATCH) {
      const answer = await ingest(report, server, batch(first));
      if (answer?.status === 200) stored += ((await answer.json()) as { inserted: number }).inserted;
      else report.violation(`a batch was answered ${answer?.status ?? "by nothing"}`);
      if ((first / BATCH) % 20 === 0) await control("POST /snapshots");
      if ((first / BATCH) % 50 === 0)
        await Promise.all([control("GET /events"), control("GET /changes"), control("GET /usage")]);
    }
    await control("POST /reset");
  });
  console.log(`          ${stored} events stored, others waited ${Math.round(waited)} ms`);
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
