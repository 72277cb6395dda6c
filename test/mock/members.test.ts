import { expect, it, onTestFinished } from "vitest";
import { createMock as createBrowserMock } from "../../mock/browser.ts";
import { connectMock } from "../../mock/connect.ts";
import { createMock } from "../../mock/index.ts";
import { createMock as createNodeMock } from "../../mock/node.ts";
import { startServer } from "../../mock/server.ts";

/** The members of an object, including those of its classes. */
function membersOf(object: object): string[] {
  const prototype: object | null = Object.getPrototypeOf(object);
  const inherited = prototype === null || prototype === Object.prototype ? [] : membersOf(prototype);
  return [...Object.getOwnPropertyNames(object), ...inherited].filter((name) => name !== "constructor").sort();
}

const MOCK =
  "assumptions baseUrls clock customers events fault faults fetch issueToken oauthClients organizations products " +
  "release requests reset restore revokeToken setAssumptions snapshot users versions webhookEndpoints webhooks";

it("a mock and its parts have their documented members and no others, however it is created", async () => {
  const server = await startServer({ port: 0 });
  onTestFinished(() => server.close());
  const mock = createMock();
  const connected = connectMock(server.url);
  for (const [object, members] of [
    [mock, MOCK],
    [createNodeMock(), `${MOCK} close handlers listen`],
    [createBrowserMock(), `${MOCK} handlers start stop`],
    [server, "close mock port url"],
    [server.mock, MOCK],
    [connected, `${MOCK} url`],
    [connected.webhooks, "deliveries emit events idle redeliver"],
    [mock.webhooks, "deliveries emit events idle receive redeliver"],
    ...[mock, connected].flatMap(({ clock, faults, requests, customers, events }) => [
      [clock, "advance now"] as const,
      [faults, "clear list remove"] as const,
      [requests, "clear count last list to"] as const,
      [customers, "create delete get list size update"] as const,
      [events, "get list size"] as const,
    ]),
  ] as const) {
    expect(membersOf(object)).toEqual(members.split(" ").sort());
  }
});
