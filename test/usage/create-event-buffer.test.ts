import { describe, expect, it } from "vitest";
import { createEventBuffer } from "../../src/usage/index.ts";
import { versions } from "../support/clients.ts";
import { outboxWith, QUICK, service } from "./service.ts";

describe("createEventBuffer", () => {
  it.each(Object.keys(versions) as (keyof typeof versions)[])("works with a client of %s", async (version) => {
    const { mock } = service();
    const billing = versions[version].createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
    const usage = createEventBuffer(billing, QUICK);
    await usage.add({ name: "api.call", external_customer_id: "acme" });
    await usage.close();
    expect(mock.events.size).toBe(1);
  });

  it.each<[object, string]>([
    [{ maxBatchEvent: 5 }, 'createEventBuffer: unknown option "maxBatchEvent". Did you mean "maxBatchEvents"?'],
    [{ maxBatchEvents: 0 }, "createEventBuffer: maxBatchEvents must be an integer from 1 to 10000; received 0"],
    [
      { maxBatchBytes: 1e9 },
      "createEventBuffer: maxBatchBytes must be an integer from 1 to 10485760; received 1000000000",
    ],
    [{ maxDelay: "1s" }, 'createEventBuffer: maxDelay must be an integer from 0 to 2147483647; received "1s"'],
    [{ whenFull: "drop" }, 'createEventBuffer: whenFull must be "wait", "reject" or "drop-oldest"; received "drop"'],
    [{ closeOnExit: 1 }, "createEventBuffer: closeOnExit must be a boolean; received 1"],
    [{ onSent: true }, "createEventBuffer: onSent must be a function; received boolean"],
    [{ outbox: {} }, "createEventBuffer: outbox.append must be a function; received undefined"],
    [{ outbox: null }, "createEventBuffer: outbox must be an object"],
    [{ outbox: outboxWith({ pollInterval: 0 }) }, "createEventBuffer: outbox.pollInterval must be a number from 1 to"],
    [{ logger: 1 }, "createEventBuffer: logger must be an object"],
  ])("rejects the options %o", (options, message) => {
    const { billing } = service();
    expect(() => createEventBuffer(billing, options)).toThrow(message);
    expect(() => createEventBuffer(billing, options)).toThrow(expect.objectContaining({ name: "InvalidInputError" }));
  });

  it.each([undefined, null, {}, { events: {} }])("rejects %j as a client", (client) => {
    expect(() => createEventBuffer(client as never)).toThrow(
      "createEventBuffer: client must be a client, as returned by createClient",
    );
  });
});
