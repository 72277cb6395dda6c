import { describe, expect, it } from "vitest";
import { nextVersion } from "../../src/lifecycle/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const READ = "GET /v1/products/";

describe("a quarterly release", () => {
  it("LIF-1, LIF-2, LIF-5, ERR-3: makes every request under the removed version return 404", async () => {
    const { mock, send } = await openAdapter();
    expect((await send(READ, { version: "2024-10" })).status).toBe(200);
    const after = { deprecated: "2025-01", current: "2025-04", next: "2025-07" };
    expect([mock.release(), mock.versions]).toEqual([after, after]);
    for (const line of [READ, "GET /v1/nowhere", "DELETE /v1/products/"]) {
      const answer = await send(line, { version: "2024-10" });
      expect(answer).toMatchObject({ status: 404, body: { detail: "Not Found" } });
      expect(answer.headers.get("service-version")).toBe("2025-04");
    }
    await send("POST /v1/events/ingest", { version: "2024-10", json: { events: [usage()] } });
    expect(mock.events.size).toBe(0);
  });

  it("LIF-1, LIF-5, LIF-6: keeps exactly three versions, each for three releases, over many years", async () => {
    const { mock } = await openAdapter();
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

  it("LIF-2, LIF-4: is undone by reset and restore", async () => {
    const { mock, send } = await openAdapter();
    const snapshot = mock.snapshot();
    mock.release();
    mock.restore(snapshot);
    expect((await send(READ, { version: "2024-10" })).status).toBe(200);
    mock.release();
    mock.reset();
    expect(mock.versions).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
  });
});
