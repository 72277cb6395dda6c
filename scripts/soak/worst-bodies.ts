import { longestWaitDuring } from "./longest-wait.ts";
import { call, type Report } from "./report.ts";
import type { TestedServer } from "./server.ts";

const MEBI = 1024 * 1024;

/** Bodies up to the size limit that are the most expensive to process. */
const BODIES: Readonly<Record<string, () => string>> = {
  "ten MiB of empty events": () => `{"events":[${"{},".repeat(3_495_000)}{}]}`,
  "124,000 invalid events": () =>
    JSON.stringify({ events: Array.from({ length: 124_000 }, () => ({ name: 1, customer_id: "x" })) }),
  "lists, five million deep": () => `{"events":${"[".repeat(4.9 * MEBI)}${"]".repeat(4.9 * MEBI)}}`,
  "objects, a million deep": () => `${'{"a":'.repeat(MEBI)}1${"}".repeat(MEBI)}`,
  "metadata, 190 deep, 20,000 times": () => `{"events":[${Array.from({ length: 20_000 }, () => deepEvent).join()}]}`,
  "a name of ten million characters": () =>
    JSON.stringify({ events: [{ name: "x".repeat(10_000_000), external_customer_id: "a" }] }),
  "a key of ten million characters": () => JSON.stringify({ ["k".repeat(10_000_000)]: 1 }),
  "half a million keys": () => `{${manyKeys()}}`,
  "half a million keys in an event": () => `{"events":[{"name":"x","external_customer_id":"a",${manyKeys()}}]}`,
  "half a million keys in metadata": () =>
    `{"events":[{"name":"x","external_customer_id":"a","metadata":{${manyKeys()}}}]}`,
  "255,000 valid events": () => validEvents(255_000, () => ""),
  "160,000 valid events with external ids": () => validEvents(160_000, (index) => `,"external_id":"${index}"`),
  "a body that is not JSON": () => "[".repeat(10 * MEBI - 1),
  "more than the limit": () => " ".repeat(10 * MEBI + 1),
};

const manyKeys = () => Array.from({ length: 500_000 }, (_, key) => `"k${key}":1`).join();

function validEvents(count: number, more: (index: number) => string): string {
  const events = Array.from({ length: count }, (_, index) => `{"name":"a","external_customer_id":"b"${more(index)}}`);
  return `{"events":[${events.join()}]}`;
}

const deepEvent = `{"name":"x","external_customer_id":"a","metadata":{"m":${"[".repeat(180)}${"]".repeat(180)}}}`;

/** The maximum response time of a body on an idle machine, in milliseconds. The goal is 1,000. */
const MAX_TIME = 1_250;

/** The maximum time that other requests may wait for a body on an idle machine, in milliseconds. The goal is 100. */
const MAX_WAIT = 200;

/** The maximum time that other requests may wait while the control API lists the body, in milliseconds. */
const MAX_WAIT_FOR_LIST = 300;

/** Sends each of the worst bodies, and measures how long other requests wait. */
export async function worstBodies(report: Report, server: TestedServer): Promise<void> {
  const longest = { took: 0, waited: 0 };
  for (const [name, make] of Object.entries(BODIES)) {
    const { took, waited } = await measure(report, server, name, make());
    const text = `${name}: ${Math.round(took)} ms, other requests waited ${Math.round(waited)} ms`;
    console.log(`          ${text}`);
    if (took > MAX_TIME || waited > MAX_WAIT) report.violation(`${text}; at most ${MAX_TIME} and ${MAX_WAIT} ms`);
    longest.took = Math.max(longest.took, took);
    longest.waited = Math.max(longest.waited, waited);
    await call(report, `${server.url}/__mock/reset`, { method: "POST" });
  }
  console.log(
    `          the maximum: ${Math.round(longest.took)} ms, other requests waited ${Math.round(longest.waited)} ms`,
  );
}

async function measure(report: Report, server: TestedServer, name: string, body: string) {
  let took = 0;
  const waited = await longestWaitDuring(report, server, async () => {
    const started = performance.now();
    const answer = await ingest(report, server, body);
    took = performance.now() - started;
    if (!answer || answer.status >= 500) report.violation(`${name}: ${answer?.status ?? "no response"}`);
  });
  const waitedForList = await longestWaitDuring(report, server, () => call(report, `${server.url}/__mock/requests`));
  if (waitedForList > MAX_WAIT_FOR_LIST)
    report.violation(`${name}: others waited ${Math.round(waitedForList)} ms for its list`);
  return { took, waited };
}

/** Sends one batch of events. */
export function ingest(report: Report, { url, token }: TestedServer, body: string): Promise<Response | undefined> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return call(report, `${url}/v1/events/ingest`, { method: "POST", headers, body });
}
