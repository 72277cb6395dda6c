import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { versionNames } from "../support/clients.ts";
import { endpointInput, usage } from "../support/samples.ts";

describe("requests and responses", () => {
  it("ENV-2: use the same paths under /v1 in every version, before and after a release", async () => {
    const { mock, client, fetch, baseUrl } = await openAdapter();
    const { id } = mock.webhookEndpoints.create();
    let sent: string[] = [];
    const watch = (request: Request) => {
      sent.push(`${request.method} ${request.url}`);
      return fetch(request);
    };
    const journey = async (version: (typeof versionNames)[number]) => {
      sent = [];
      const { webhooks, events, oauth2, products } = client(version, { fetch: watch });
      await webhooks.createEndpoint(endpointInput());
      await webhooks.getEndpoint(id);
      await webhooks.updateEndpoint(id, {});
      await events.ingest([usage()]);
      await oauth2.authorize();
      await products.list();
      return sent;
    };
    const expected = [
      `POST ${baseUrl}/v1/webhooks/endpoints`,
      `GET ${baseUrl}/v1/webhooks/endpoints/${id}`,
      `PATCH ${baseUrl}/v1/webhooks/endpoints/${id}`,
      `POST ${baseUrl}/v1/events/ingest`,
      `GET ${baseUrl}/v1/oauth2/authorize`,
      `GET ${baseUrl}/v1/products/`,
    ];
    for (const version of versionNames) expect(await journey(version)).toEqual(expected);
    mock.release();
    expect(await journey("2025-04")).toEqual(expected);
  });

  it("ENV-3: have bodies of type application/json", async () => {
    const { client, fetch } = await openAdapter();
    const types: (string | null)[] = [];
    const watch = async (request: Request) => {
      types.push(request.headers.get("content-type"));
      const response = await fetch(request);
      types.push(response.headers.get("content-type"));
      return response;
    };
    const json = "application/json";
    await client("2025-01", { fetch: watch }).events.ingest([usage()]);
    expect(types.splice(0)).toEqual([json, json]);
    await client("2025-01", { fetch: watch }).products.list();
    expect(types.splice(0)).toEqual([null, json]);
    await client("2025-01", { fetch: watch }).webhooks.getEndpoint("nonsense").safe();
    expect(types.splice(0)).toEqual([null, json]);
  });
});
