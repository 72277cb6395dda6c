import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { NOBODY } from "../support/samples.ts";

const PATH = "/v1/webhooks/endpoints";
const VERSION_1 = "c232ab00-9414-11ec-b3c8-9f68deced846";

describe("reading a webhook endpoint", () => {
  it.each([
    ["a UUID with a digit too many", `${NOBODY}0`, "uuid_parsing"],
    ["another variant", "00000000-0000-4000-0000-000000000000", "uuid_parsing"],
    ["an encoded slash", "a%2Fb", "uuid_parsing", "a/b"],
    ["a broken encoding", "%E0%A4%A", "uuid_parsing"],
  ])("GET-3, G-422: returns 422 at path.id for %s", async (_what, id, type, input = id) => {
    const { send } = await openAdapter();
    const answer = await send(`GET ${PATH}/${id}`);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["path", "id"], type, input }] } });
  });

  it("GET-3, ERR-2: the client throws an error with every field of a 422", async () => {
    const { client } = await openAdapter();
    const { error } = await client().webhooks.getEndpoint(VERSION_1).safe();
    const item = { loc: ["path", "id"], type: "uuid_version", input: VERSION_1, ctx: { expected_version: 4 } };
    expect(error).toMatchObject({ status: 422, body: { detail: [{ ...item, msg: "UUID version 4 expected" }] } });
    expect(String(error)).toContain("path.id");
  });

  it("GET-2, G-FOREIGN: returns 404, as if it did not exist, unless the token belongs to its organization or to a member; or 403 without a scope", async () => {
    const { mock, send } = await openAdapter();
    const organization = mock.organizations.create();
    const user = mock.users.create({ organization_ids: [mock.organizations.create().id, organization.id] });
    const endpoint = mock.webhookEndpoints.create({ organization_id: organization.id });
    for (const type of ["oat", "pat", "oidc"] as const) {
      const sent = { token: mock.issueToken({ type }), json: { enabled: false } };
      const answers = [await send(`GET ${PATH}/${endpoint.id}`, { token: sent.token })];
      for (const id of [endpoint.id, NOBODY]) answers.push(await send(`PATCH ${PATH}/${id}`, sent));
      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: "ResourceNotFound" } });
    }
    for (const owner of [{ organization }, { type: "pat", user } as const]) {
      const answer = await send(`GET ${PATH}/${endpoint.id}`, { token: mock.issueToken(owner) });
      expect(answer).toMatchObject({ status: 200, body: endpoint });
    }
    mock.setAssumptions({ foreignEndpoint: "forbidden" });
    const { id } = mock.webhookEndpoints.create({ organization_id: mock.organizations.create().id });
    const { status, body, headers } = await send(`GET ${PATH}/${id}`);
    const error_description = "The credential has no access to the organization of the endpoint.";
    expect({ status, body }).toEqual({ status: 403, body: { error: "insufficient_scope", error_description } });
    expect(headers.get("www-authenticate")).toContain(`error_description="${error_description}"`);
    expect(headers.get("www-authenticate")).not.toContain(", scope=");
  });
});
