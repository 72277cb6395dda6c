import { describe, expect, it } from "vitest";
import { openAdapter, problems, testedVersion } from "../support/adapter.ts";
import { endpointInput, NOBODY } from "../support/samples.ts";

const CREATE = "POST /v1/webhooks/endpoints";

describe("creating a webhook endpoint", () => {
  it.each([
    ["no url", { url: undefined }, "body.url missing"],
    ["no format", { format: undefined }, "body.format missing"],
    ["no events", { events: undefined }, "body.events missing"],
    ["an event type that there is not", { events: ["order.paid", "order.lost"] }, "body.events.1 enum"],
    ["events that are not a list", { events: "order.paid" }, "body.events list_type"],
    ["a name of the wrong type", { name: 5 }, "body.name string_type"],
    ["an api_version of the wrong type", { api_version: 2025 }, "body.api_version string_type"],
    ["an organization that is not a UUID", { organization_id: "acme" }, "body.organization_id uuid_parsing"],
  ])("WHE-9, WHT-1: returns 422 for %s, and stores nothing", async (_what, fields, problem) => {
    const { mock, send } = await openAdapter();
    expect(problems(await send(CREATE, { json: endpointInput(fields) }))).toEqual([problem]);
    expect(mock.webhookEndpoints.size).toBe(0);
  });

  it("G-WHE-PATHS: accepts a name and, with a personal access token, the organization", async () => {
    const { mock, client } = await openAdapter();
    const [one, two] = [mock.organizations.create(), mock.organizations.create()];
    const user = mock.users.create({ organization_ids: [one.id, two.id] });
    const { webhooks } = client(testedVersion, { accessToken: mock.issueToken({ type: "pat", user }) });
    const created = await webhooks.createEndpoint(endpointInput({ name: "Orders", organization_id: two.id }));
    expect(created).toMatchObject({ name: "Orders", organization_id: two.id });
    const { error } = await webhooks.createEndpoint(endpointInput()).safe();
    expect(error).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "organization_id"] }] } });
  });
});

describe("updating a webhook endpoint", () => {
  it("G-WHE-PATHS, G-EMPTY: changes only the given fields, even none, and the modification time", async () => {
    const { mock, send } = await openAdapter();
    let before: object = mock.webhookEndpoints.create();
    const { id } = mock.webhookEndpoints.list()[0]!;
    for (const json of [
      { url: "https://elsewhere.example/" },
      { name: "Orders" },
      { format: "slack" },
      { events: ["refund.created", "order.paid"] },
      { enabled: false },
      { api_version: "2025-04" },
      {},
    ]) {
      const answer = await send(`PATCH /v1/webhooks/endpoints/${id}`, { json });
      const after = { ...before, ...json, modified_at: expect.stringMatching(/Z$/) };
      expect(answer).toMatchObject({ status: 200, body: after });
      before = mock.webhookEndpoints.get(id)!;
      expect(before).toEqual(after);
    }
  });

  it("GET-2, G-WHE-PATHS: returns 404 ResourceNotFound for an unknown id", async () => {
    const { send } = await openAdapter();
    const answer = await send(`PATCH /v1/webhooks/endpoints/${NOBODY}`, { json: { enabled: false } });
    expect(answer).toMatchObject({ status: 404, body: { error: "ResourceNotFound" } });
  });

  it("changes nothing if one of the fields is rejected", async () => {
    const { mock, send } = await openAdapter();
    const before = mock.webhookEndpoints.create();
    const json = { name: "new", enabled: "yes", events: ["order.lost"] };
    const answer = await send(`PATCH /v1/webhooks/endpoints/${before.id}`, { json });
    expect(problems(answer).sort()).toEqual(["body.enabled bool_type", "body.events.0 enum"]);
    expect(mock.webhookEndpoints.get(before.id)).toEqual(before);
  });
});

describe("the URL of an endpoint", () => {
  it.each(["https://hooks.example/x", "http://localhost:3000/hooks", "https://hooks.example/?a=b#c"])(
    "G-WHE-URL: accepts %s unchanged",
    async (url) => {
      const { client } = await openAdapter();
      const { id, ...created } = await client().webhooks.createEndpoint(endpointInput({ url }));
      expect(created.url).toBe(url);
      expect((await client().webhooks.updateEndpoint(id, { url: `${url}2` })).url).toBe(`${url}2`);
    },
  );

  it.each([
    "/hooks",
    "hooks.example",
    "",
    "ftp://hooks.example/",
    "javascript:alert(1)",
    "https://user@hooks.example/",
    "https://:secret@hooks.example/",
  ])("G-WHE-URL: rejects %j, and changes nothing", async (url) => {
    const { mock, send } = await openAdapter();
    const before = mock.webhookEndpoints.create();
    for (const line of [CREATE, `PATCH /v1/webhooks/endpoints/${before.id}`]) {
      const answer = await send(line, { json: endpointInput({ url }) });
      expect(problems(answer)).toEqual(["body.url value_error"]);
      expect(JSON.stringify(answer.body)).not.toContain("secret@");
    }
    expect(mock.webhookEndpoints.list()).toEqual([before]);
  });
});

describe("the operations that write endpoints", () => {
  it.each([
    ["webhooks:write", 201, 200],
    ["webhooks:read", 403, 403],
  ] as const)("G-WHE-PATHS: with the scope %s return %i and %i", async (scope, created, updated) => {
    const { mock, send } = await openAdapter();
    const token = mock.issueToken({ scopes: [scope] });
    const path = `PATCH /v1/webhooks/endpoints/${mock.webhookEndpoints.create().id}`;
    expect((await send(CREATE, { token, json: endpointInput() })).status).toBe(created);
    expect((await send(path, { token, json: {} })).status).toBe(updated);
  });

  it("G-EMPTY: an update without fields is rejected if the assumption says so", async () => {
    const { mock, send } = await openAdapter({ assumptions: { emptyBodies: "reject" } });
    const { id, modified_at } = mock.webhookEndpoints.create();
    expect(problems(await send(`PATCH /v1/webhooks/endpoints/${id}`, { json: {} }))).toEqual(["body value_error"]);
    expect(mock.webhookEndpoints.get(id)?.modified_at).toBe(modified_at);
    expect((await send(`PATCH /v1/webhooks/endpoints/${id}`, { json: { name: null } })).status).toBe(200);
  });

  it("G-WHE-PATHS: do not exist if the assumption says so", async () => {
    const { mock, send } = await openAdapter({ assumptions: { endpointWrites: "absent" } });
    const { id } = mock.webhookEndpoints.create();
    expect(await send(CREATE, { json: endpointInput() })).toMatchObject({ status: 404 });
    const update = await send(`PATCH /v1/webhooks/endpoints/${id}`, { json: {} });
    expect([update.status, update.headers.get("allow")]).toEqual([405, "GET"]);
    expect((await send(`GET /v1/webhooks/endpoints/${id}`)).status).toBe(200);
  });
});
