import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { versionNames } from "../support/clients.ts";
import { NOBODY } from "../support/samples.ts";

const PATH = "GET /v1/webhooks/endpoints";

describe("reading a webhook endpoint", () => {
  it.each([
    ["no UUID", "not-a-uuid", "uuid_parsing"],
    ["a UUID with a digit too many", `${NOBODY}0`, "uuid_parsing"],
    ["a version 1 UUID", "c232ab00-9414-11ec-b3c8-9f68deced846", "uuid_version"],
    ["a version 7 UUID", "0190163d-8694-739b-aea5-966c26f8ad91", "uuid_version"],
    ["a version 4 UUID of another variant", "00000000-0000-4000-0000-000000000000", "uuid_version"],
    ["an encoded slash", "a%2Fb", "uuid_parsing"],
    ["a broken encoding", "%E0%A4%A", "uuid_parsing"],
    ["SQL", "1'%20OR%20'1'%3D'1", "uuid_parsing"],
  ])("GET-3, G-422: returns 422 at path.id for %s in every version", async (_what, id, type) => {
    const { send } = await openAdapter();
    for (const version of versionNames) {
      expect(problems(await send(`${PATH}/${id}`, { version }))).toEqual([`path.id ${type}`]);
    }
  });

  it("GET-3, ERR-2: the client throws an error with the loc of a 422", async () => {
    const { client } = await openAdapter();
    const { error } = await client().webhooks.getEndpoint("not-a-uuid").safe();
    expect(error).toMatchObject({ status: 422, body: { detail: [{ loc: ["path", "id"], input: "not-a-uuid" }] } });
    expect(String(error)).toContain("path.id");
  });
});

describe("another organization's endpoint", () => {
  it.each(["GET", "PATCH"])("G-FOREIGN: %s returns 404 ResourceNotFound, as if it did not exist", async (method) => {
    const { mock, send } = await openAdapter();
    const endpoint = mock.webhookEndpoints.create({ organization_id: mock.organizations.create().id });
    const json = method === "PATCH" ? { enabled: false } : undefined;
    for (const type of ["oat", "pat", "oidc"] as const) {
      const answer = await send(`${method} /v1/webhooks/endpoints/${endpoint.id}`, {
        token: mock.issueToken({ type }),
        json,
      });
      expect(answer).toMatchObject({ status: 404, body: { error: "ResourceNotFound" } });
    }
    expect(mock.webhookEndpoints.get(endpoint.id)).toEqual(endpoint);
  });

  it("G-FOREIGN: is available to the organization's own token and to its members", async () => {
    const { mock, send } = await openAdapter();
    const organization = mock.organizations.create();
    const user = mock.users.create({ organization_ids: [mock.organizations.create().id, organization.id] });
    const { id } = mock.webhookEndpoints.create({ organization_id: organization.id });
    expect((await send(`${PATH}/${id}`, { token: mock.issueToken({ organization }) })).status).toBe(200);
    expect((await send(`${PATH}/${id}`, { token: mock.issueToken({ type: "pat", user }) })).status).toBe(200);
  });
});
