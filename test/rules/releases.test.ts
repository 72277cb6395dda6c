import { expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";
import { AFTER_NEXT, CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";

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
