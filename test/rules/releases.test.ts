import { expect, it } from "vitest";
import { nextVersion } from "../../src/lifecycle/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

it("LIF-1, LIF-2, LIF-5, ERR-3: a release makes every request under the removed version return 404", async () => {
  const { mock, send, ingest } = await openAdapter();
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

it("LIF-1, LIF-5, LIF-6, G-WHERE: exactly three versions, from 2024-10 on, each for three releases, over many years", async () => {
  const { mock } = await openAdapter();
  expect(mock.versions).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
  const seen = new Map<string, number>();
  let { next } = mock.versions;
  for (let i = 0; i < 12; i++) {
    const versions = mock.release();
    expect(versions.next).toBe(nextVersion(next));
    next = versions.next;
    for (const version of Object.values(versions)) seen.set(version, (seen.get(version) ?? 0) + 1);
  }
  expect([...seen].slice(2, -2).every(([, count]) => count === 3)).toBe(true);
  expect(mock.versions).toEqual({ deprecated: "2027-10", current: "2028-01", next: "2028-04" });
});
