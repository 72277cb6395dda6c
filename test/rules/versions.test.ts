import { describe, expect, it } from "vitest";
import { openAdapter, testedVersion } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const READ = "GET /v1/products/";

describe("the header Service-Version", () => {
  // The fuzz tests expect it on every other response, and a 404 to any request for an unsupported version.
  it("VER-5: is on the response to a body that is too large and to a request over the rate limit", async () => {
    const small = await openAdapter({ assumptions: { maxBodyBytes: 10 } });
    const tooLarge = await small.send("POST /v1/events/ingest", { version: "2025-04", json: { events: [usage()] } });
    expect([tooLarge.status, tooLarge.headers.get("service-version")]).toEqual([413, "2025-04"]);
    await small.close();
    const slow = await openAdapter({ assumptions: { rateLimit: { requests: 0, windowSeconds: 1 } } });
    const tooMany = await slow.send(READ, { version: "2025-04" });
    expect([tooMany.status, tooMany.headers.get("service-version")]).toEqual([429, "2025-04"]);
  });
});

describe("an unsupported version", () => {
  const odd = [
    "",
    "2025-1",
    "2025-13",
    "2025-01-01",
    "v2025-01",
    "latest",
    "*",
    "__proto__",
    "2025-01;",
    "2024-07",
    "2025-07",
  ];

  it.each(odd)("VER-1, VER-5, ERR-3, G-404-VER: returns 404 for %j, as Current", async (version) => {
    const { send } = await openAdapter();
    const { status, body, headers } = await send(READ, { version });
    expect({ status, body }).toEqual({ status: 404, body: { detail: "Not Found" } });
    expect(headers.get("service-version")).toBe("2025-01");
    expect(headers.get("content-type")).toBe("application/json");
  });

  it("ERR-3, G-REPEAT: returns 404 for two versions, also if both are the same", async () => {
    const { fetch, baseUrl, mock } = await openAdapter();
    const headers = new Headers({ Authorization: `Bearer ${mock.issueToken()}`, "Service-Version": "2025-01" });
    headers.append("Service-Version", "2025-01");
    expect((await fetch(`${baseUrl}/v1/products/`, { headers })).status).toBe(404);
  });

  it("ERR-3, G-404-VER: is an ApiError that names the version", async () => {
    const { mock, client } = await openAdapter();
    for (let releases = 0; releases < 3; releases++) mock.release();
    const { error } = await client().products.list().safe();
    expect(error).toMatchObject({ name: "ApiError", status: 404, version: mock.versions.current });
    expect(error?.message).toContain(`version ${testedVersion}`);
  });
});

describe("the versions of the package", () => {
  it("G-WHERE: are 2024-10 Deprecated, 2025-01 Current and 2025-04 Next", async () => {
    const { mock } = await openAdapter();
    expect(mock.versions).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
  });
});
