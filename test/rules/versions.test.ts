import { expect, it } from "vitest";
import { openAdapter, testedVersion } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";
import { AFTER_NEXT, CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";

// The fuzz tests send any strings as the version of every operation.
it("ERR-3, G-REPEAT: two versions in a request return 404, also if both are the same", async () => {
  const { fetch, baseUrl, mock } = await openAdapter();
  const headers = new Headers({ Authorization: `Bearer ${mock.issueToken()}`, "Service-Version": CURRENT });
  headers.append("Service-Version", CURRENT);
  const response = await fetch(`${baseUrl}/v1/products/`, { headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
});

it("ERR-3, G-404-VER: an unsupported version is an ApiError that names the version", async () => {
  const { mock, client } = await openAdapter();
  for (let releases = 0; releases < 3; releases++) mock.release();
  const { error } = await client().products.list().safe();
  expect(error).toMatchObject({ name: "ApiError", status: 404, version: mock.versions.current });
  expect(error?.message).toContain(`version ${testedVersion}`);
});

it("LIF-1, LIF-2, LIF-5, ERR-3, G-WHERE: a release makes every request under the removed version return 404", async () => {
  const { mock, send, ingest } = await openAdapter();
  expect(mock.versions).toEqual({ deprecated: DEPRECATED, current: CURRENT, next: NEXT });
  const after = { deprecated: CURRENT, current: NEXT, next: AFTER_NEXT };
  expect([mock.release(), mock.versions]).toEqual([after, after]);
  for (const line of ["GET /v1/products/", "GET /v1/nowhere", "DELETE /v1/products/"]) {
    const answer = await send(line, { version: DEPRECATED });
    expect(answer).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    expect(answer.headers.get("service-version")).toBe(NEXT);
  }
  await ingest([usage()], { version: DEPRECATED });
  expect(mock.events.size).toBe(0);
});
