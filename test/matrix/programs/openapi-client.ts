// Calls every operation with a client of another library. Its types come from the OpenAPI document of the version.
import createClient from "openapi-fetch";
import type { operations, paths } from "./api.d.ts";

const [baseUrl = "", accessToken = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${accessToken}` } });
const header = { "Service-Version": "2025-01" } as const;

const created = await client.POST("/v1/webhooks/endpoints", {
  params: { header },
  body: { url: "https://shop.example/hooks", format: "raw", events: ["order.paid"] },
});
const { id = "" } = created.data ?? {};
const path = { id };
const read = await client.GET("/v1/webhooks/endpoints/{id}", { params: { header, path } });
const updated = await client.PATCH("/v1/webhooks/endpoints/{id}", { params: { header, path }, body: { name: "Shop" } });
const ingested = await client.POST("/v1/events/ingest", {
  params: { header },
  body: { events: [{ name: "api.call", external_customer_id: "acme", metadata: { pages: 3 } }] },
});
const authorized = await client.GET("/v1/oauth2/authorize", { params: { header, query: { scope: "openid" } } });
const listed = await client.GET("/v1/products/", { params: { header, query: { limit: 2 } } });

type Responses = operations["webhooks:get_webhook_endpoint"]["responses"];

/** A failed call, with the body that the document declares for its status. */
type Failed = { [Status in 404 | 422]: { status: Status; body: Responses[Status]["content"]["application/json"] } }[
  | 404
  | 422];

/** Reads an endpoint that does not exist, or with an id that is not one. */
async function fail(unknown: string): Promise<Failed> {
  const { error, response } = await client.GET("/v1/webhooks/endpoints/{id}", {
    params: { header, path: { id: unknown } },
  });
  return { status: response.status, body: error } as Failed;
}

function describe(failed: Failed): unknown {
  if (failed.status === 422) return failed.body.detail?.map(({ loc, type }) => [...loc, type]);
  return "error" in failed.body ? (failed.body.error satisfies "ResourceNotFound") : failed.body.detail;
}

const { data: page } = listed;
const types: readonly (string | undefined)[] = [created.data?.events[0], authorized.data?.scope_display_names.openid];
// @ts-expect-error The format does not exist.
void (() => client.PATCH("/v1/webhooks/endpoints/{id}", { params: { header, path }, body: { format: "teams" } }));
// @ts-expect-error The field does not exist.
void read.data?.colour;

console.log(
  JSON.stringify({
    created: [created.response.status, types[0]],
    read: read.data?.id === id && read.response.headers.get("service-version"),
    updated: updated.data?.name,
    ingested: ingested.data,
    authorized: authorized.data?.sub_type,
    label: typeof types[1],
    products: Object(page).items.length as unknown,
    missing: describe(await fail("4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34")),
    invalid: describe(await fail("none")),
  }),
);
