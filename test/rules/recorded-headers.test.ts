import { expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";

it("the journal contains the headers of a request without its credentials", async () => {
  const { mock, send } = await openAdapter();
  const headers = { "X-Request-Id": "call-7", Cookie: "session=hush", "X-Api-Key": "hush" };
  await send("GET /v1/products/", { version: "2025-04", headers });
  const recorded = mock.requests.last()?.headers ?? {};
  expect(recorded).toMatchObject({ "x-request-id": "call-7", "service-version": "2025-04" });
  expect(Object.keys(recorded)).not.toContain("authorization");
  expect(JSON.stringify(recorded)).not.toContain("hush");
});
