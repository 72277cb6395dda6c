import { expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

it("LIF-1, LIF-2, LIF-5, ERR-3, G-WHERE: the first of three versions is 2024-10; a release makes every request under the removed version return 404", async () => {
  const { mock, send, ingest } = await openAdapter();
  expect(mock.versions).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
  const after = { deprecated: "2025-01", current: "2025-04", next: "2025-07" };
  expect([mock.release(), mock.versions]).toEqual([after, after]);
  for (const line of ["GET /v1/products/", "GET /v1/nowhere", "DELETE /v1/products/"]) {
    const answer = await send(line, { version: "2024-10" });
    expect(answer).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    expect(answer.headers.get("service-version")).toBe("2025-04");
  }
  await ingest([usage()], { version: "2024-10" });
  expect(mock.events.size).toBe(0);
});
