import { afterEach, describe, expect, it } from "vitest";
import { createMock as createBrowserMock } from "../../mock/browser.ts";
import { createMock } from "../../mock/index.ts";
import { createMock as createNodeMock } from "../../mock/node.ts";
import { type MockServer, startServer } from "../../mock/server.ts";
import { createTest } from "../../mock/vitest.ts";

const MOCK = [
  "assumptions",
  "baseUrls",
  "clock",
  "customers",
  "events",
  "fault",
  "faults",
  "fetch",
  "issueToken",
  "oauthClients",
  "organizations",
  "products",
  "release",
  "requests",
  "reset",
  "restore",
  "revokeToken",
  "snapshot",
  "users",
  "versions",
  "webhookEndpoints",
  "webhooks",
];

/** The members of an object, including those of its classes. */
function membersOf(object: object): string[] {
  const prototype: object | null = Object.getPrototypeOf(object);
  const inherited = prototype === null || prototype === Object.prototype ? [] : membersOf(prototype);
  return [...Object.getOwnPropertyNames(object), ...inherited].filter((name) => name !== "constructor").sort();
}

let server: MockServer | undefined;
afterEach(() => server?.close());

describe("a mock has its documented members and no others", () => {
  it("when created by mock", () => {
    expect(membersOf(createMock())).toEqual(MOCK);
  });

  it("when created by mock/node", () => {
    expect(membersOf(createNodeMock())).toEqual([...MOCK, "close", "handlers", "listen"].sort());
  });

  it("when created by mock/browser", () => {
    expect(membersOf(createBrowserMock())).toEqual([...MOCK, "handlers", "start", "stop"].sort());
  });

  it("when started by mock/server", async () => {
    server = await startServer({ port: 0 });
    expect(membersOf(server)).toEqual(["close", "mock", "port", "url"]);
    expect(membersOf(server.mock)).toEqual(MOCK);
  });

  createTest({ createClient: () => ({}) })("when created for a test by mock/vitest", ({ mock }) => {
    expect(membersOf(mock)).toEqual(MOCK);
  });

  it("in each of its parts", () => {
    const { clock, faults, requests, webhooks, customers, events } = createMock();
    expect(membersOf(clock)).toEqual(["advance", "now"]);
    expect(membersOf(faults)).toEqual(["clear", "list", "remove"]);
    expect(membersOf(requests)).toEqual(["clear", "count", "last", "list", "to"]);
    expect(membersOf(webhooks)).toEqual(["deliveries", "emit", "events", "idle", "receive", "redeliver"]);
    expect(membersOf(customers)).toEqual(["create", "delete", "get", "list", "size", "update"]);
    expect(membersOf(events)).toEqual(["get", "list", "size"]);
  });
});
