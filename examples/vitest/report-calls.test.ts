// A suite in Vitest. Install `vitest` and `@billing-service/sdk`, and run `npx vitest`.
import { createClient } from "@billing-service/sdk/2025-01";
import { createTest } from "@billing-service/sdk/mock/vitest";
import { describe } from "vitest";
import { reportCalls } from "./report-calls.ts";

// Every test gets its own mock and client, so tests can run at the same time.
const test = createTest({ createClient });

describe.concurrent("reportCalls", () => {
  test("counts each call once", async ({ client, mock, expect }) => {
    expect(await reportCalls(client, "acme", ["1", "2"])).toBe(2);
    expect(await reportCalls(client, "acme", ["2", "3"])).toBe(1);
    expect(mock.events.list().map(({ external_id }) => external_id)).toEqual(["1", "2", "3"]);
  });

  test("tries again when the service is unavailable", async ({ client, mock, expect }) => {
    mock.fault({ operation: "events:ingest", status: 503, times: 1, retryAfter: 0 });
    expect(await reportCalls(client, "acme", ["1"])).toBe(1);
    expect(mock.requests.list().map(({ status }) => status)).toEqual([503, 200]);
  });

  test("fails without the scope", async ({ mock, expect }) => {
    const accessToken = mock.issueToken({ type: "pat", scopes: ["products:read"] });
    const client = createClient({ accessToken, fetch: mock.fetch });
    await expect(reportCalls(client, "acme", ["1"])).rejects.toMatchObject({ name: "ApiError", status: 403 });
  });
});
