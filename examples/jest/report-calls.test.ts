import { createClient } from "@billing-service/sdk/2025-01";
import { createMock } from "@billing-service/sdk/mock";
import { describe, expect, test } from "@jest/globals";
import { reportCalls } from "./report-calls";

/** A mock and a client for one test. Tests share nothing, so they can run at the same time. */
function setup() {
  const mock = createMock();
  return { mock, client: createClient({ accessToken: mock.issueToken(), fetch: mock.fetch }) };
}

describe("reportCalls", () => {
  test("counts each call once", async () => {
    const { client, mock } = setup();
    expect(await reportCalls(client, "acme", ["1", "2"])).toBe(2);
    expect(await reportCalls(client, "acme", ["2", "3"])).toBe(1);
    expect(mock.events.list().map(({ external_id }) => external_id)).toEqual(["1", "2", "3"]);
  });

  test("tries again when the service is unavailable", async () => {
    const { client, mock } = setup();
    mock.fault({ operation: "events:ingest", status: 503, times: 1, retryAfter: 0 });
    expect(await reportCalls(client, "acme", ["1"])).toBe(1);
    expect(mock.requests.list().map(({ status }) => status)).toEqual([503, 200]);
  });

  test("fails without the scope", async () => {
    const { mock } = setup();
    const accessToken = mock.issueToken({ type: "pat", scopes: ["products:read"] });
    const client = createClient({ accessToken, fetch: mock.fetch });
    await expect(reportCalls(client, "acme", ["1"])).rejects.toMatchObject({ name: "ApiError", status: 403 });
  });
});
