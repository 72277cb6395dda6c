import { expect, it, onTestFinished } from "vitest";
import { createMock as createBrowserMock } from "../../mock/browser.ts";
import { createMock } from "../../mock/index.ts";
import { createMock as createNodeMock } from "../../mock/node.ts";
import { startServer } from "../../mock/server.ts";
import { createTest } from "../../mock/vitest.ts";

/** The members of an object, including those of its classes. */
function membersOf(object: object): string[] {
  const prototype: object | null = Object.getPrototypeOf(object);
  const inherited = prototype === null || prototype === Object.prototype ? [] : membersOf(prototype);
  return [...Object.getOwnPropertyNames(object), ...inherited].filter((name) => name !== "constructor").sort();
}

/** The documented members of a mock and of its parts. */
const RECORDS = ["customers", "oauthClients", "organizations", "products", "users", "webhookEndpoints"];
const VALUES = ["assumptions", "baseUrls", "clock", "events", "faults", "requests", "versions", "webhooks"];
const TOKENS = ["issueToken", "revokeToken"];
const METHODS = [...TOKENS, "fault", "fetch", "release", "reset", "restore", "setAssumptions", "snapshot"];
const MOCK = [...RECORDS, ...VALUES, ...METHODS];
const PARTS = {
  clock: ["advance", "now"],
  faults: ["clear", "list", "remove"],
  requests: ["clear", "count", "last", "list", "to"],
  webhooks: ["deliveries", "emit", "events", "idle", "receive", "redeliver"],
  customers: ["create", "delete", "get", "list", "size", "update"],
  events: ["get", "list", "size"],
} as const;

it("a mock has its documented members and no others, however it is created", async () => {
  const server = await startServer({ port: 0 });
  onTestFinished(() => server.close());
  expect(membersOf(createMock())).toEqual([...MOCK].sort());
  expect(membersOf(createNodeMock())).toEqual([...MOCK, "close", "handlers", "listen"].sort());
  expect(membersOf(createBrowserMock())).toEqual([...MOCK, "handlers", "start", "stop"].sort());
  expect(membersOf(server)).toEqual(["close", "mock", "port", "url"]);
  expect(membersOf(server.mock)).toEqual([...MOCK].sort());
  const parts = Object.keys(PARTS).map((name) => [name, membersOf(createMock()[name as keyof typeof PARTS])]);
  expect(Object.fromEntries(parts)).toEqual(PARTS);
});

createTest({ createClient: () => ({}) })("a mock for a test of mock/vitest has no other members", ({ mock }) => {
  expect(membersOf(mock)).toEqual([...MOCK].sort());
});
