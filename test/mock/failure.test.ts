import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { createMock, defaultAssumptions, type Mock, type MockOptions } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";
import { contract as deprecated } from "../../versions/2024-10/index.ts";
import { createClient, contract as current } from "../../versions/2025-01/index.ts";
import { contract as next } from "../../versions/2025-04/index.ts";

const errors = vi.spyOn(console, "error");

beforeEach(() => {
  errors.mockReset().mockImplementation(() => {});
});

const event = (external_id: string) => ({ name: "api.call", external_customer_id: "acme", external_id });
const batch = JSON.stringify({ events: [event("one"), event("two"), event("bad")] });

/** Returns the options of a mock that throws when it encodes the response to three events. */
function failingWith(thrown: unknown): MockOptions {
  const body = z.object({ inserted: z.number(), duplicates: z.number() }).check(({ value }) => {
    if (value.inserted === 3) throw thrown;
  });
  const operations = current.operations.map((each) =>
    each.id === "events:ingest" ? { ...each, response: { ...each.response, body: body as never } } : each,
  );
  return { seed: 1, contracts: [deprecated, { ...current, operations }, next] };
}

const failing = failingWith(new Error("The key is missing."));

function post(mock: Mock, baseUrl: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  return mock.fetch(`${baseUrl}/v1/events/ingest`, { method: "POST", headers, body });
}

/** A Next that no endpoint matches. */
const incompatible = {
  ...next,
  operations: next.operations.map((operation) => ({
    ...operation,
    response: { ...operation.response, body: z.object({ colour: z.string() }) as never },
  })),
};

describe("an error inside the mock", () => {
  it("returns 500 with Service-Version, and is in the journal and on stderr", async () => {
    const mock = createMock(failing);
    const response = await post(mock, mock.baseUrls[0] as string, batch);
    expect(response.status).toBe(500);
    expect(response.headers.get("service-version")).toBe("2025-01");
    expect(await response.json()).toEqual({ error: "MockFailure", detail: "The key is missing." });
    expect(mock.requests.last()).toMatchObject({ status: 500, operation: "events:ingest", versionUsed: "2025-01" });
    expect(errors).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("POST /v1/events/ingest and responded with 500. Error: The key is missing."),
    );
  });

  it("does not change the state, including ids and duplicates", async () => {
    const [mock, other] = [createMock(failing), createMock(failing)];
    await post(mock, mock.baseUrls[0] as string, batch);
    other.issueToken();
    expect(mock.events.list()).toEqual([]);
    const good = JSON.stringify({ events: [event("one"), event("two")] });
    const stored = await Promise.all([mock, other].map((each) => post(each, each.baseUrls[0] as string, good)));
    expect(await stored[0]?.json()).toEqual({ inserted: 2, duplicates: 0 });
    expect(mock.events.list().map(({ id }) => id)).toEqual(other.events.list().map(({ id }) => id));
  });

  it.each([
    ["a value without a string form", Object.create(null), "Something that is not an error was thrown: object."],
    ["an error with another kind of stack", Object.assign(new Error("odd"), { stack: 5 }), "odd"],
  ])("returns 500 for %s", async (_, thrown, detail) => {
    const mock = createMock(failingWith(thrown));
    const response = await post(mock, mock.baseUrls[0] as string, batch);
    expect([response.status, await response.json()]).toEqual([500, { error: "MockFailure", detail }]);
  });

  it.each<[string, (mock: Mock) => unknown]>([
    ["creates a record", (mock) => mock.customers.create()],
    ["deletes a record", (mock) => mock.products.delete("one")],
    ["issues a token", (mock) => mock.issueToken()],
    ["releases a version", (mock) => mock.release()],
    ["replaces the assumptions", (mock) => mock.setAssumptions({ maxBatchSize: 9 })],
  ])("returns 500 and changes nothing if a callback %s during a request", async (_what, change) => {
    const body = z.unknown().check(() => void change(mock));
    const operations = current.operations.map((each) => ({ ...each, response: { ...each.response, body } as never }));
    const mock: Mock = createMock({ contracts: [deprecated, { ...current, operations }, next] });
    const response = await post(mock, mock.baseUrls[0] as string, batch);
    const detail = "A change is not possible while the mock is processing a request.";
    expect([response.status, await response.json()]).toMatchObject([500, { detail }]);
    expect([mock.events.size, mock.customers.size, mock.versions.current]).toEqual([0, 0, "2025-01"]);
    expect(mock.assumptions.maxBatchSize).toBe(defaultAssumptions.maxBatchSize);
  });

  it("returns 500 if the response does not fit the contract of its version, and changes nothing", async () => {
    const mock = createMock({ contracts: [deprecated, current, incompatible] });
    const { id } = await createClient({ accessToken: mock.issueToken(), fetch: mock.fetch }).webhooks.createEndpoint({
      ...{ url: "https://shop.example/", format: "raw", events: [] },
    });
    const headers = { authorization: `Bearer ${mock.issueToken()}`, "service-version": "2025-04" };
    const init = { headers: { ...headers, "content-type": "application/json" }, body: '{"name":"changed"}' };
    const response = await mock.fetch(`${mock.baseUrls[0]}/v1/webhooks/endpoints/${id}`, { method: "PATCH", ...init });
    expect([response.status, response.headers.get("service-version")]).toEqual([500, "2025-04"]);
    const detail = "The response does not match the contract: colour: Field required";
    expect(await response.json()).toMatchObject({ detail });
    expect(mock.webhookEndpoints.get(id)).toMatchObject({ name: null, modified_at: null });
  });

  it("VER-5: returns 500 with Service-Version if the clock fails", async () => {
    let broken = false;
    const mock = createMock({ now: () => (broken ? Number.NaN : 0) });
    const headers = { authorization: `Bearer ${mock.issueToken()}` };
    broken = true;
    const response = await mock.fetch(`${mock.baseUrls[0]}/v1/products/`, { headers });
    expect(response.status).toBe(500);
    expect(response.headers.get("service-version")).toBe("2025-01");
    expect(mock.requests.last()).toMatchObject({ status: 500, versionUsed: "2025-01" });
  });

  it("does not stop a server, even if its console fails", async () => {
    let broken = false;
    const server = await startServer({ now: () => (broken ? Number.NaN : 0) });
    onTestFinished(() => server.close());
    errors.mockImplementation(() => {
      throw new Error("The console is closed.");
    });
    for (const [fails, status] of [[true, 500] as const, [false, 401] as const]) {
      broken = fails;
      expect((await fetch(`${server.url}/v1/products/`)).status).toBe(status);
    }
  });
});

it("a request whose body cannot be read is rejected as by fetch, without a report", async () => {
  const mock = createMock();
  const used = new Request(`${mock.baseUrls[0]}/v1/events/ingest`, { method: "POST", body: "{}" });
  await used.text();
  await expect(mock.fetch(used)).rejects.toThrow(TypeError);
  const body = new ReadableStream({ pull: () => Promise.reject(new Error("broken")) });
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  await expect(mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, init)).rejects.toThrow("broken");
  expect(errors).not.toHaveBeenCalled();
});
