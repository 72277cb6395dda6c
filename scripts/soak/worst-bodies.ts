import { worstBodies as bodies, INGEST, type WorstBody } from "../../test/support/worst-bodies.ts";
import { longestWaitDuring } from "./longest-wait.ts";
import { call, type Report } from "./report.ts";
import type { TestedServer } from "./server.ts";

/** The maximum response time of a body, and wait of other requests, on an idle machine, in milliseconds. The goal is 250. */
const MAX_TIME = 300;

/** The maximum wait of other requests while the control API lists the body, in milliseconds. */
const MAX_WAIT_FOR_LIST = 300;

/** The memory that a body may take in addition to what the server took before, in bytes. The goal is 100 MB. */
const MAX_MEMORY = 120_000_000;

/** Sends each of the worst bodies, and measures time, memory, and how long other requests wait. */
export async function worstBodies(report: Report, server: TestedServer): Promise<void> {
  for (const [name, body] of Object.entries(bodies)) {
    const { took, waited, memory } = await measure(report, server, name, body);
    const text = `${name}: ${Math.round(took)} ms, other requests waited ${Math.round(waited)} ms, ${Math.round(memory / 1e6)} MB more`;
    console.log(`          ${text}`);
    if (took > MAX_TIME || waited > MAX_TIME || memory > MAX_MEMORY) report.violation(text);
    await call(report, `${server.url}/__mock/reset`, { method: "POST" });
  }
}

async function measure(report: Report, server: TestedServer, name: string, { path = INGEST, body, status }: WorstBody) {
  const text = body();
  const before = server.memory();
  let [took, peak] = [0, before];
  const watch = setInterval(() => {
    peak = Math.max(peak, server.memory());
  }, 5);
  const waited = await longestWaitDuring(report, server, async () => {
    const started = performance.now();
    const answer = await post(report, server, path, text);
    took = performance.now() - started;
    if (answer?.status !== status) report.violation(`${name}: ${answer?.status ?? "no response"}, not ${status}`);
  });
  clearInterval(watch);
  const waitedForList = await longestWaitDuring(report, server, () => call(report, `${server.url}/__mock/requests`));
  if (waitedForList > MAX_WAIT_FOR_LIST)
    report.violation(`${name}: others waited ${Math.round(waitedForList)} ms for its list`);
  return { took, waited, memory: peak - before };
}

/** Sends one batch of events. */
export function ingest(report: Report, server: TestedServer, body: string): Promise<Response | undefined> {
  return post(report, server, INGEST, body);
}

function post(report: Report, { url, token }: TestedServer, path: string, body: string): Promise<Response | undefined> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return call(report, url + path, { method: "POST", headers, body });
}
