import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import * as z from "zod/mini";
import { createMock, type MockOptions } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { answering, contractsWith, current } from "../support/contracts.ts";
import { endpointInput, usage } from "../support/samples.ts";
import { CURRENT, NEXT } from "../support/versions.ts";

let errors: MockInstance<typeof console.error>;
beforeEach(() => {
  errors = vi.spyOn(console, "error").mockReturnValue();
});

const batch = ["one", "two", "bad"].map((external_id) => usage({ external_id }));

/** Returns the options of a mock that throws when it encodes the response to three events. */
function failingWith(thrown: unknown): MockOptions {
  const body = z.object({ inserted: z.number(), duplicates: z.number() }).check(({ value }) => {
    if (value.inserted === 3) throw thrown;
  });
  return { contracts: contractsWith({ "events:ingest": answering(body) }, {}, current) };
}

describe("an error inside the mock", () => {
  it("returns 500 with Service-Version, is in the journal and on stderr, and changes no state", async () => {
    const { mock, ingest } = await openAdapter(failingWith(new Error("The key is missing.")));
    const { status, headers, body } = await ingest(batch);
    expect([status, headers.get("service-version")]).toEqual([500, CURRENT]);
    expect(body).toEqual({ error: "MockFailure", detail: "The key is missing." });
    expect(mock.requests.last()).toMatchObject({ status: 500, operation: "events:ingest", versionUsed: CURRENT });
    expect(errors).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("POST /v1/events/ingest and responded with 500. Error: The key is missing."),
    );
    expect(mock.events.list()).toEqual([]);
    expect((await ingest(batch.slice(1))).body).toEqual({ inserted: 2, duplicates: 0 });
  });

  it("returns 500 if the response does not fit the contract of its version, and changes nothing", async () => {
    const contracts = contractsWith(answering(z.object({ colour: z.string() })));
    const { mock, client, send } = await openAdapter({ contracts });
    const { id } = await client(CURRENT).webhooks.createEndpoint(endpointInput({ name: "Orders" }));
    const line = `PATCH /v1/webhooks/endpoints/${id}`;
    const { status, headers, body } = await send(line, { version: NEXT, json: { name: "changed" } });
    expect([status, headers.get("service-version")]).toEqual([500, NEXT]);
    expect(body).toMatchObject({ detail: "The response does not match the contract: body.colour: Field required" });
    expect(mock.webhookEndpoints.get(id)).toMatchObject({ name: "Orders", modified_at: null });
  });

  it("VER-5: returns 500 with Service-Version if the clock fails", async () => {
    let broken = false;
    const { mock, send } = await openAdapter({ now: () => (broken ? Number.NaN : 0) });
    const token = mock.issueToken();
    broken = true;
    const { status, headers } = await send("GET /v1/products/", { token });
    expect([status, headers.get("service-version")]).toEqual([500, CURRENT]);
    expect(mock.requests.last()).toMatchObject({ status: 500, versionUsed: CURRENT });
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

it("a request is rejected as by fetch if it is aborted before it is sent, or before its response arrives", async () => {
  const mock = createMock();
  const caller = new AbortController();
  const send = () => mock.fetch(`${mock.baseUrls[0]}/v1/products/`, { signal: caller.signal });
  const late = send();
  caller.abort(new Error("the user left"));
  await expect(late).rejects.toBe(caller.signal.reason);
  await expect(send()).rejects.toBe(caller.signal.reason);
  expect(mock.requests.count).toBe(1);
  const reading = new AbortController();
  const init = { method: "POST", body: new ReadableStream(), duplex: "half", signal: reading.signal } as RequestInit;
  setTimeout(() => reading.abort(new Error("the user left")), 50);
  await expect(mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, init)).rejects.toThrow("the user left");
});

it.each([0, 1])("the journal has a request in the turn in which its operation runs, %i ms later", async (delay) => {
  // The mock also reads the schemas when it is created.
  let clear = () => {};
  const body = z.unknown().check(() => queueMicrotask(() => clear()));
  const { mock, ingest } = await openAdapter({ contracts: contractsWith(answering(body), {}, current) });
  clear = () => mock.requests.clear();
  mock.fault({ delay });
  await ingest(batch);
  expect(mock.requests.list()).toEqual([]);
});
