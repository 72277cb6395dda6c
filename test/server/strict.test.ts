import { describe, expect, it } from "vitest";
import { type AssumptionChoices, strict } from "../../mock/server.ts";
import { exchange, requestText } from "../support/raw-socket.ts";
import { endpointInput, usage } from "../support/samples.ts";
import { authorized, started } from "../support/started-server.ts";

interface StrictRequest {
  readonly path: string;
  readonly json: object;
  readonly type?: "pat";
}

const event = (fields: object): StrictRequest => ({ path: "/v1/events/ingest", json: { events: [usage(fields)] } });

/** For each field of `strict`, a request that it rejects and the defaults accept; some need more than one request. */
const rejected: Readonly<Record<string, StrictRequest | "without length" | "many">> = {
  unknownCustomers: event({}),
  futureEvents: event({ timestamp: "2999-01-01T00:00:00Z" }),
  organizationField: { ...event({}), type: "pat" },
  eventName: event({ name: "" }),
  uuidEventFields: event({ member_id: "member-1" }),
  metadata: event({ metadata: { nested: {} } }),
  unknownFields: event({ colour: "red" }),
  endpointUrl: { path: "/v1/webhooks/endpoints", json: endpointInput({ url: "https://192.168.0.1/" }) },
  bodyWithoutLength: "without length",
  rateLimit: "many",
};

async function statusOf(
  assumptions: AssumptionChoices,
  request: StrictRequest | "without length" | "many",
): Promise<number> {
  const server = await started({ assumptions });
  const headers = authorized(server);
  if (request === "without length") {
    const lines = { ...headers, "transfer-encoding": "chunked", connection: "close" };
    const chunks = 'd\r\n{"events":[]}\r\n0\r\n\r\n';
    const { text } = await exchange(server.url, requestText("POST /v1/events/ingest", lines, chunks));
    return Number(text.slice(9, 12));
  }
  if (request === "many") {
    const answers = Array.from({ length: 501 }, () =>
      server.mock.fetch(`${server.mock.baseUrls[0]}/v1/products/`, { headers }),
    );
    return (await Promise.all(answers)).at(-1)?.status ?? 0;
  }
  const authorization = `Bearer ${server.mock.issueToken({ type: request.type })}`;
  const body = JSON.stringify(request.json);
  return (await fetch(server.url + request.path, { method: "POST", headers: { ...headers, authorization }, body }))
    .status;
}

describe("strict", () => {
  it.each(Object.entries(strict))("changes a response through %s", async (name, value) => {
    const request = rejected[name] as StrictRequest;
    expect(await statusOf({}, request)).toBeLessThan(300);
    expect(await statusOf({ [name]: value }, request)).toBeGreaterThan(400);
  });

  it("has a request in this file for each of its fields", () => {
    expect(Object.keys(rejected).sort()).toEqual(Object.keys(strict).sort());
  });

  it("accepts valid requests", async () => {
    const server = await started({ assumptions: { ...strict, maxBatchSize: 500 } });
    const { id: customer_id } = server.mock.customers.create();
    const body = JSON.stringify({ events: [usage({ customer_id, metadata: { pages: 3 } })] });
    const init = { method: "POST", headers: authorized(server), body };
    const answer = await fetch(`${server.url}/v1/events/ingest`, init);
    expect(await answer.json()).toEqual({ inserted: 1, duplicates: 0 });
    expect(server.mock.assumptions).toMatchObject({ maxBatchSize: 500, unknownFields: "reject" });
  });
});
