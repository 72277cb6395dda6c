import { parentPort } from "node:worker_threads";
import { createMock } from "../../mock/index.ts";
import { INGEST, worstBodies } from "./worst-bodies.ts";

/** Sends each of the worst bodies to a mock, in a thread with little memory, and posts the statuses. */
const mock = createMock();
const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
mock.checkpoint();

for (const [name, { path = INGEST, body }] of Object.entries(worstBodies)) {
  const { status } = await mock.fetch(mock.baseUrls[0] + path, { method: "POST", headers, body: body() });
  parentPort?.postMessage([name, status]);
  mock.reset();
}
