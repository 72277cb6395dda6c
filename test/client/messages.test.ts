import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { versionNames, versions } from "../support/clients.ts";
import { endpointInput, usage } from "../support/samples.ts";
import { closedPort, failureOf, json, serve, stall } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

const busy = json(503, { error: "Busy" });

describe("the message of a failed call", () => {
  beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
  afterEach(() => void vi.restoreAllMocks());

  it("includes the number of attempts, also on the stack", async () => {
    const service = await serve(busy);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error.message).toBe("things:read: 503 Busy (after 3 attempts)");
    expect(inspect(error)).toContain("things:read: 503 Busy (after 3 attempts)");
  });

  it("includes it when another failure ends the retries", async () => {
    const service = await serve(busy, json(404, { error: "Gone", detail: "no t1" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error.message).toBe("things:read: 404 no t1 (after 2 attempts)");
  });

  it("includes it for a lost connection", async () => {
    const error = await failureOf(tinyClient({ baseUrl: await closedPort(), maxRetries: 1 }).read("t1"));
    expect(error.message).toMatch(/^things:read: the connection failed: .* \(after 2 attempts\)$/);
  });

  it("has no note after a single attempt with a permanent failure", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "no t1" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error.message).toBe("things:read: 404 no t1");
  });

  it.each([
    [500, "500 Internal Server Error"],
    [599, "599"],
  ])("names a standard status when the body gives no reason: %i", async (status, expected) => {
    const service = await serve((response) => void response.writeHead(status, "token-1").end("<html>"));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1"));
    expect(error.message).toBe(`things:read: ${expected}`);
  });

  it("has no note when maxRetries is 0", async () => {
    const service = await serve(busy);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).add({ size: 1 }));
    expect(error.message).toBe("things:add: 503 Busy");
  });

  it.each([
    ["a failure of the service", async () => (await serve(busy)).baseUrl],
    ["a lost connection", closedPort],
    ["a timeout", async () => (await serve(stall)).baseUrl],
  ])("gives the reason for not retrying after %s", async (_, address) => {
    const client = tinyClient({ baseUrl: await address(), timeout: 300 });
    const { message } = await failureOf(client.add({ size: 1 }));
    expect(message).toMatch(/ \(not retried: the thing has no key\)$/);
  });

  it("gives the reason when Retry-After is too long", async () => {
    const service = await serve(json(429, {}), json(429, {}, { "retry-after": "3600" }));
    const { message } = await failureOf(tinyClient({ baseUrl: service.baseUrl }).add({ size: 1 }));
    expect(message).toBe(
      "things:add: 429 Too Many Requests (after 2 attempts; not retried again: Retry-After of 3600 seconds exceeds the maximum of 60 seconds)",
    );
  });

  it.each([
    [undefined, "a POST may not be idempotent; if it is, set repeatable: true"],
    [false, "repeatable is false"],
  ])("gives the reason for client.request with repeatable %s", async (repeatable, reason) => {
    const service = await serve(busy);
    const { message } = await failureOf(
      tinyClient({ baseUrl: service.baseUrl }).request("POST", "/v1/x", { repeatable }),
    );
    expect(message).toBe(`POST /v1/x: 503 Busy (not retried: ${reason})`);
  });
});

describe.each(versionNames)("an operation of %s that is not idempotent", (version) => {
  const fetch = async (): Promise<Response> => new Response(null, { status: 503 });
  const client = versions[version].createClient({ accessToken: "token", fetch });
  const keyed = usage({ external_id: "event-1" });

  it("names the event without an external_id", async () => {
    const { message } = await failureOf(client.events.ingest([keyed, keyed, keyed, usage()]));
    expect(message).toBe("events:ingest: 503 Service Unavailable (not retried: events[3] has no external_id)");
  });

  it("names what a second request could do", async () => {
    const { message } = await failureOf(client.webhooks.createEndpoint(endpointInput()));
    expect(message).toContain("(not retried: a second request could create a second endpoint)");
  });
});
