import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { endpointInput } from "../support/samples.ts";

const FIELDS = (
  "created_at modified_at id url name api_version format secret organization_id events enabled " +
  "uses_standard_webhook_signature"
).split(" ");

// The checks of conformance/ compare every field of a response.
describe("a webhook endpoint", () => {
  it("WHE-2, WHE-6, G-CREATE: ignores fields that requests cannot set, and has the time of its update", async () => {
    const { mock, client } = await openAdapter({ now: "2025-03-01T00:00:00Z" });
    const { webhooks } = client();
    const mine = { secret: "mine", id: "mine", created_at: "mine", modified_at: "mine", enabled: false };
    const created = await webhooks.createEndpoint(endpointInput({ ...mine, uses_standard_webhook_signature: false }));
    expect(Object.keys(created)).toEqual(expect.arrayContaining(FIELDS));
    expect(created).toMatchObject({ modified_at: null, enabled: true, uses_standard_webhook_signature: true });
    expect([created.id, created.secret, created.created_at]).not.toContain("mine");
    await mock.clock.advance({ hours: 1 });
    const updated = await webhooks.updateEndpoint(created.id, { enabled: false });
    expect(updated).toEqual({ ...created, enabled: false, modified_at: "2025-03-01T01:00:00.000000Z" });
    expect(await webhooks.getEndpoint(created.id)).toEqual(updated);
  });

  it.each(FIELDS)("WHE-3, WHE-1: the client rejects a response without %s, unless it is the name", async (field) => {
    const { mock, client, fetch } = await openAdapter();
    const { id } = mock.webhookEndpoints.create();
    const without = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      const { [field]: _, ...rest } = (await response.json()) as Record<string, unknown>;
      return Response.json(rest, { headers: response.headers });
    };
    const { error } = await client(undefined, { fetch: without, onResponseMismatch: "throw" })
      .webhooks.getEndpoint(id)
      .safe();
    expect(error?.name).toBe(field === "name" ? undefined : "ResponseMismatchError");
  });

  it("WHE-5, G-WHE-SECRET: has a secret: whsec_ and the base64 of 32 random bytes, or 43 letters and digits", async () => {
    const { mock, client } = await openAdapter();
    const { webhooks } = client();
    const secrets = new Set<string>();
    for (let i = 0; i < 3; i++) secrets.add((await webhooks.createEndpoint(endpointInput())).secret);
    expect([...secrets]).toEqual(Array(3).fill(expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)));
    const { id } = mock.webhookEndpoints.create({ uses_standard_webhook_signature: false });
    expect((await webhooks.getEndpoint(id)).secret).toMatch(/^whsec_[A-Za-z0-9]{43}$/);
  });
});
