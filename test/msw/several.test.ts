import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "#current";
import { createMock, type NodeMock } from "../../mock/node.ts";

const call = [{ name: "api.call", external_customer_id: "acme" }];

const isMsw3 = createMock().handlers.every((handler) => "dispose" in handler);

describe.each(isMsw3 ? [false, true] : [false])(
  "several mocks that listen at the same time, sockets: %s",
  (sockets) => {
    let first: NodeMock;
    let second: NodeMock;
    beforeEach(() => {
      first = createMock({ baseUrl: "https://one.example" });
      second = createMock({ baseUrl: "https://two.example" });
      first.listen({ sockets });
      second.listen({ sockets });
    });
    afterEach(() => {
      first.close();
      second.close();
    });
    const clientOf = (mock: NodeMock) =>
      createClient({ accessToken: mock.issueToken(), baseUrl: mock.baseUrls.at(-1), maxRetries: 0 });

    it("each respond for their own base URL", async () => {
      const clients = [clientOf(first), clientOf(second), clientOf(second)];
      await Promise.all(clients.map((client) => client.events.ingest(call)));
      expect([first.events.size, second.events.size]).toEqual([1, 2]);
      expect([first.requests.count, second.requests.count]).toEqual([1, 2]);
    });

    it("continue when one of them closes", async () => {
      second.close();
      await clientOf(first).events.ingest(call);
      expect(first.events.size).toBe(1);
      expect((await clientOf(second).events.ingest(call).safe()).ok).toBe(false);
    });

    it("leave a shared base URL to the one that listened last", async () => {
      const shared = (mock: NodeMock) => createClient({ accessToken: mock.issueToken(), environment: "sandbox" });
      await shared(second).events.ingest(call);
      second.close();
      await shared(first).events.ingest(call);
      expect([first.events.size, second.events.size]).toEqual([1, 1]);
    });

    it.runIf(isMsw3)("must have the same value of sockets, also in a second listen of one mock", async () => {
      const message = `received ${!sockets}, but a mock already listens with ${sockets}. Pass the same value, or call`;
      for (const mock of [first, createMock()]) expect(() => mock.listen({ sockets: !sockets })).toThrow(message);
      await clientOf(first).events.ingest(call);
      first.close();
      second.close();
      first.listen({ sockets: !sockets });
      await clientOf(first).events.ingest(call);
      expect(first.events.size).toBe(2);
    });
  },
);
