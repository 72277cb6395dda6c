import fc from "fast-check";
import { connectMock } from "../../mock/connect.ts";
import { controlCalls, requestOf } from "../../test/fuzz/arbitraries/control-call.ts";
import { requestsTo } from "../../test/fuzz/arbitraries/request.ts";
import { expectDeclared } from "../../test/fuzz/declared.ts";
import { fuzzed } from "../../test/fuzz/subject.ts";
import { versionNames, versions } from "../../test/support/clients.ts";
import { call, type Report } from "./report.ts";
import type { TestedServer } from "./server.ts";

const SUPPORTED: readonly (string | null)[] = [null, ...versionNames];
const requests = requestsTo(versionNames.map((name) => versions[name].contract));

/** Sends `count` requests of the fuzz tests, sixteen at once. Every response must be declared in the contract. */
export async function fuzzService(report: Report, { url }: TestedServer, count: number): Promise<void> {
  const mock = connectMock(url);
  await mock.reset();
  const subject = await fuzzed({ mock, fetch: globalThis.fetch, baseUrl: url });
  const seed = freshSeed();
  const cases = fc.sample(requests, { numRuns: count, seed });
  await atOnce(16, cases, async (request) => {
    const started = performance.now();
    try {
      const answer = await subject.send(request);
      report.answered(answer.status, performance.now() - started);
      expectDeclared(request, answer, SUPPORTED.includes(request.version));
    } catch (error) {
      report.violation(`${fc.stringify(request)}: ${error} (seed ${seed})`);
    }
  });
}

/** Sends `count` requests of the fuzz tests to the control API, then reads the records through the service. */
export async function fuzzControl(report: Report, server: TestedServer, count: number): Promise<void> {
  const { url } = server;
  const seed = freshSeed();
  const cases = fc.sample(controlCalls, { numRuns: count, seed });
  for (let first = 0; first < count; first += RESET_EVERY) {
    const ids = await newest(report, server);
    await atOnce(4, cases.slice(first, first + RESET_EVERY), async (given) => {
      const { url: address, method, body } = requestOf(given, url, ids);
      const answer = await call(report, address, { method, ...(body && given.body && { body: given.body }) });
      if (!answer) report.violation(`no response to ${method} ${address} ${given.body?.slice(0, 200)} (seed ${seed})`);
    });
    await call(report, `${url}/__mock/faults`, { method: "DELETE" });
    await readRecords(report, server);
    await call(report, `${url}/__mock/reset`, { method: "POST" });
  }
}

/** The number of control requests between two resets. */
const RESET_EVERY = 25;

const freshSeed = () => Math.floor(Math.random() * 2 ** 31);

/** Returns the ids of some existing records. */
async function newest(report: Report, { url }: TestedServer): Promise<readonly string[]> {
  const lists = ["users", "organizations", "webhook-endpoints"].map((name) => call(report, `${url}/__mock/${name}`));
  const texts = await Promise.all((await Promise.all(lists)).map((answer) => answer?.text() ?? ""));
  return texts.flatMap((text) => [...text.matchAll(/"id":"([^"]+)"/g)].slice(-2).map(([, id]) => String(id)));
}

/** Reads the records of the newest users and organizations through the service. */
async function readRecords(report: Report, server: TestedServer): Promise<void> {
  for (const id of await newest(report, server)) {
    for (const owner of [{ type: "pat", user: id }, { organization: id }]) {
      const issued = await call(report, `${server.url}/__mock/tokens`, { method: "POST", body: JSON.stringify(owner) });
      if (issued?.status !== 201) continue;
      const { token } = (await issued.json()) as { token: string };
      const headers = { Authorization: `Bearer ${token}` };
      for (const path of ["/v1/oauth2/authorize", "/v1/products/"]) await call(report, server.url + path, { headers });
    }
  }
}

async function atOnce<Item>(width: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) await work(items[next++] as Item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
