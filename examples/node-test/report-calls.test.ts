// A suite in the test runner of Node.js 22.18 or newer. Install `@billing-service/sdk`, and run `node --test`.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClient, isApiError } from "@billing-service/sdk/2025-01";
import { createMock } from "@billing-service/sdk/mock";
import { reportCalls } from "./report-calls.ts";

/** A mock and a client for one test. Tests share nothing, so they can run at the same time. */
function setup() {
  const mock = createMock();
  return { mock, client: createClient({ accessToken: mock.issueToken(), fetch: mock.fetch }) };
}

describe("reportCalls", { concurrency: true }, () => {
  it("counts each call once", async () => {
    const { client, mock } = setup();
    assert.equal(await reportCalls(client, "acme", ["1", "2"]), 2);
    assert.equal(await reportCalls(client, "acme", ["2", "3"]), 1);
    assert.deepEqual(
      mock.events.list().map(({ external_id }) => external_id),
      ["1", "2", "3"],
    );
  });

  it("tries again when the service is unavailable", async () => {
    const { client, mock } = setup();
    mock.fault({ operation: "events:ingest", status: 503, times: 1, retryAfter: 0 });
    assert.equal(await reportCalls(client, "acme", ["1"]), 1);
    assert.deepEqual(
      mock.requests.list().map(({ status }) => status),
      [503, 200],
    );
  });

  it("fails without the scope", async () => {
    const { mock } = setup();
    const accessToken = mock.issueToken({ type: "pat", scopes: ["products:read"] });
    const client = createClient({ accessToken, fetch: mock.fetch });
    await assert.rejects(reportCalls(client, "acme", ["1"]), (error) => isApiError(error, 403));
  });
});
