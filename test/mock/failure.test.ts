import { beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { createMock, type Mock, type MockOptions } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";
import { contract as deprecated } from "../../versions/2024-10/index.ts";
import { contract as current } from "../../versions/2025-01/index.ts";
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
    ["a value without a string form", Object.create(null), "A value of type object was thrown."],
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
  ])("returns 500 and changes nothing if a callback %s during a request", async (_what, change) => {
    const body = z.unknown().check(() => void change(mock));
    const operations = current.operations.map((each) => ({ ...each, response: { ...each.response, body } as never }));
    const mock: Mock = createMock({ contracts: [deprecated, { ...current, operations }, next] });
    const response = await post(mock, mock.baseUrls[0] as string, batch);
    const detail = "A change is not possible while the mock is processing a request.";
    expect([response.status, await response.json()]).toMatchObject([500, { detail }]);
    expect([mock.events.size, mock.customers.size, mock.versions.current]).toEqual([0, 0, "2025-01"]);
  });

  it("returns 500 if the response does not fit the contract of its version", async () => {
    const mock = createMock({ contracts: [deprecated, current, incompatible] });
    const headers = { authorization: `Bearer ${mock.issueToken()}`, "service-version": "2025-04" };
    const sent = JSON.stringify({ url: "https://shop.example/", format: "raw", events: [] });
    const created = { ...headers, "service-version": "2025-01", "content-type": "application/json" };
    const endpoints = `${mock.baseUrls[0]}/v1/webhooks/endpoints`;
    const { id } = await (await mock.fetch(endpoints, { method: "POST", headers: created, body: sent })).json();
    const body = JSON.stringify({ name: "changed" });
    const url = `${mock.baseUrls[0]}/v1/webhooks/endpoints/${id}`;
    const json = { ...headers, "content-type": "application/json" };
    const responses = [
      await mock.fetch(url, { headers }),
      await mock.fetch(url, { method: "PATCH", headers: json, body }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([500, 500]);
    expect(responses[0]?.headers.get("service-version")).toBe("2025-04");
    const { detail } = (await (responses[0] as Response).json()) as { detail: string };
    expect(detail).toBe("The response does not match the contract: colour: Field required");
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

  it("does not stop a server", async () => {
    await using server = disposable(await startServer(failing));
    const { mock, url } = server.running;
    const responses = [await send(mock, url), await send(mock, url)];
    expect(responses.map(({ status }) => status)).toEqual([500, 500]);
    expect(responses[0]?.headers.get("service-version")).toBe("2025-01");
    expect(mock.events.size).toBe(0);
  });

  it("does not stop a server whose console fails", async () => {
    let broken = false;
    await using server = disposable(await startServer({ now: () => (broken ? Number.NaN : 0) }));
    errors.mockImplementation(() => {
      throw new Error("The console is closed.");
    });
    broken = true;
    const response = await fetch(`${server.running.url}/v1/products/`);
    broken = false;
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: "MockFailure", detail: "The console is closed." },
    ]);
  });
});

function send(mock: Mock, url: string): Promise<Response> {
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  return fetch(`${url}/v1/events/ingest`, { method: "POST", headers, body: batch });
}

function disposable(running: Awaited<ReturnType<typeof startServer>>) {
  return { running, [Symbol.asyncDispose]: () => running.close() };
}

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
