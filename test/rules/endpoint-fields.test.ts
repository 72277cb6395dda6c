import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { endpointInput, TIMESTAMP, UUID_V4 } from "../support/samples.ts";

const FIELDS = {
  created_at: expect.stringMatching(TIMESTAMP),
  modified_at: null,
  id: expect.stringMatching(UUID_V4),
  url: "https://hooks.example/billing",
  name: "Orders",
  api_version: expect.stringMatching(/^\d{4}-\d\d$/),
  format: "raw",
  secret: expect.stringMatching(/^whsec_/),
  organization_id: expect.stringMatching(UUID_V4),
  events: ["order.paid"],
  enabled: true,
  uses_standard_webhook_signature: true,
};

describe("a webhook endpoint", () => {
  it("WHE-1, WHE-2, WHE-5, WHE-7, WHE-8: has exactly the specified fields, and the time of its last update", async () => {
    const { client } = await openAdapter();
    const { webhooks } = client();
    const created = await webhooks.createEndpoint(endpointInput({ name: "Orders" }));
    expect(created).toEqual(FIELDS);
    expect(await webhooks.getEndpoint(created.id)).toEqual(created);
    const first = await webhooks.updateEndpoint(created.id, { enabled: false });
    expect(first).toEqual({ ...created, enabled: false, modified_at: expect.stringMatching(TIMESTAMP) });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await webhooks.updateEndpoint(created.id, { name: "two" });
    expect(Date.parse(second.modified_at ?? "")).toBeGreaterThan(Date.parse(first.modified_at ?? ""));
    expect(await webhooks.getEndpoint(created.id)).toEqual(second);
  });

  it.each(["name", ...Object.keys(FIELDS).filter((field) => field !== "name")])(
    "WHE-3, WHE-1: the client rejects a response without %s, unless it is the name",
    async (field) => {
      const { mock, client, fetch } = await openAdapter();
      const { id } = mock.webhookEndpoints.create();
      const without = async (request: Request) => {
        const response = await fetch(request);
        const { [field]: _, ...rest } = (await response.json()) as Record<string, unknown>;
        return Response.json(rest, { headers: response.headers });
      };
      const { error } = await client(undefined, { fetch: without }).webhooks.getEndpoint(id).safe();
      expect(error?.name).toBe(field === "name" ? undefined : "ResponseMismatchError");
    },
  );

  it.each(["xml", "RAW", "", null, 1, ["raw"]])("WHE-4: rejects the format %j, and changes nothing", async (format) => {
    const { mock, send } = await openAdapter();
    const endpoint = mock.webhookEndpoints.create();
    for (const line of ["POST /v1/webhooks/endpoints", `PATCH /v1/webhooks/endpoints/${endpoint.id}`]) {
      expect(problems(await send(line, { json: endpointInput({ format }) }))).toEqual(["body.format enum"]);
    }
    expect(mock.webhookEndpoints.list()).toEqual([endpoint]);
  });
});

describe("the secret of an endpoint", () => {
  it("WHE-5, G-WHE-SECRET: is whsec_ and the base64 of 32 random bytes, or 43 letters and digits", async () => {
    const { mock, client } = await openAdapter();
    const { webhooks } = client();
    const secrets = new Set<string>();
    for (let i = 0; i < 3; i++) secrets.add((await webhooks.createEndpoint(endpointInput())).secret);
    expect([...secrets].map((secret) => atob(secret.replace(/^whsec_/, "")).length)).toEqual([32, 32, 32]);
    const { id } = mock.webhookEndpoints.create({ uses_standard_webhook_signature: false });
    expect((await webhooks.getEndpoint(id)).secret).toMatch(/^whsec_[A-Za-z0-9]{43}$/);
  });

  it("WHE-5: starts with the prefix if a test sets it", async () => {
    const { mock } = await openAdapter();
    const { id } = mock.webhookEndpoints.create({ secret: "whsec_c2VjcmV0" });
    const message = 'webhook endpoint: `secret` must be a string that starts with "whsec_".';
    expect(() => mock.webhookEndpoints.create({ secret: "c2VjcmV0" })).toThrow(message);
    expect(() => mock.webhookEndpoints.update(id, { secret: "c2VjcmV0" })).toThrow(message);
  });

  it("WHE-6: cannot be set by requests, like all read-only fields", async () => {
    const { send } = await openAdapter();
    const mine = { secret: "mine", id: "mine", created_at: "mine", modified_at: "mine", enabled: false };
    const json = endpointInput({ ...mine, uses_standard_webhook_signature: false });
    const { body } = await send("POST /v1/webhooks/endpoints", { json });
    expect(body).toEqual({ ...FIELDS, name: null });
  });
});
