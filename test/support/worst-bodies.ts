import { parentPort, workerData } from "node:worker_threads";
import { createMock } from "../../mock/index.ts";

const INGEST = "/v1/events/ingest";
const ENDPOINTS = "/v1/webhooks/endpoints";

/** A body that is more expensive to process than its size suggests, and the status of the response. */
type WorstBody = readonly [name: string, status: number, body: () => string, path?: string];

/** Returns `count` items with commas between them. */
function list(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(",");
}

const events = (count: number, item: (index: number) => string) => `{"events":[${list(count, item)}]}`;
const eventWith = (fields: string) => `{"name":"a","external_customer_id":"b",${fields}}`;
const withMetadata = (metadata: string) => events(1, () => eventWith(`"metadata":${metadata}`));

/** Returns a short name that is unique per index. */
const key = (index: number) => `"k${index.toString(36)}"`;
const manyFields = () => list(199_000, (i) => `${key(i)}:1`);
const manyTypes = () => list(10_000, () => '"order.paid"');

/** Bodies that need the most time or memory, within the limits (10 MiB, 10,000 items in a list, 200 levels) or not. */
export const worstBodies: readonly WorstBody[] = [
  ["3,400,000 empty events", 422, () => events(3_400_000, () => "{}")],
  ["10,000 bad events", 422, () => events(10_000, (i) => `{"name":${i}}`)],
  ["10,000 events", 200, () => events(10_000, (i) => eventWith(`"metadata":{${key(i)}:${i}}`))],
  ["10,000 types", 201, () => `{"url":"https://a.example","format":"raw","events":[${manyTypes()}]}`, ENDPOINTS],
  ["199,000 names in metadata", 200, () => withMetadata(`{${manyFields()}}`)],
  ["132,000 objects in metadata", 200, () => withMetadata(`{"a":[${list(132_000, (i) => `{${key(i)}:1}`)}]}`)],
  ["199,000 unknown fields", 200, () => `{"events":[],${manyFields()}}`],
  ["a name of 10 MB", 200, () => events(1, () => `{"name":"${"x".repeat(10_485_660)}","external_customer_id":"b"}`)],
  ["5,000,000 levels", 422, () => "[".repeat(5_000_000) + "]".repeat(5_000_000)],
];

/** What the test passes to the thread in which this file sends the bodies to a mock, and posts the statuses. */
export const SEND = "send the worst bodies";

if (workerData === SEND) {
  const mock = createMock();
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  mock.checkpoint();
  for (const [name, , body, path = INGEST] of worstBodies) {
    const { status } = await mock.fetch(mock.baseUrls[0] + path, { method: "POST", headers, body: body() });
    parentPort?.postMessage([name, status]);
    mock.reset();
  }
}
