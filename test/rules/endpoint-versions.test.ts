import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { endpointInput } from "../support/samples.ts";

const CREATE = "POST /v1/webhooks/endpoints";

describe("the api_version of an endpoint", () => {
  it("VER-7: is Current at creation, and stays the same after a release", async () => {
    const { mock, client } = await openAdapter();
    const { webhooks } = client("2025-04");
    const before = await webhooks.createEndpoint(endpointInput());
    mock.release();
    const after = await webhooks.createEndpoint(endpointInput());
    expect([before.api_version, after.api_version]).toEqual(["2025-01", "2025-04"]);
    expect(await webhooks.getEndpoint(before.id)).toEqual(before);
  });

  it.each(["2024-07", "2025-07", "2025-1", "", "2025-01 ", "__proto__"])(
    "VER-8, ERR-4, G-WHE-VER: rejects %j with all other problems, and changes nothing",
    async (api_version) => {
      const { mock, client, send } = await openAdapter();
      const before = mock.webhookEndpoints.create();
      const { error } = await client().webhooks.updateEndpoint(before.id, { name: "new", api_version }).safe();
      const item = { loc: ["body", "api_version"], type: "value_error", input: api_version };
      expect(error).toMatchObject({ status: 422, body: { detail: [item] } });
      expect(String(error)).toContain("Only supported API versions are accepted");
      const json = endpointInput({ url: "nowhere", format: "xml", api_version });
      const wrong = ["body.format enum", "body.url value_error", "body.api_version value_error"];
      for (const line of [CREATE, `PATCH /v1/webhooks/endpoints/${before.id}`]) {
        expect(problems(await send(line, { json }))).toEqual(wrong);
      }
      expect(mock.webhookEndpoints.list()).toEqual([before]);
    },
  );

  it("G-REMOVED, ERR-4, VER-8: keeps a removed version until a supported one is set", async () => {
    const { mock, client, send } = await openAdapter();
    const { id } = mock.webhookEndpoints.create({ api_version: "2024-10" });
    mock.release();
    const { webhooks } = client("2025-04");
    expect((await webhooks.getEndpoint(id)).api_version).toBe("2024-10");
    expect((await webhooks.updateEndpoint(id, { enabled: false })).api_version).toBe("2024-10");
    expect((await webhooks.updateEndpoint(id, { api_version: "2024-10" }).safe()).error).toMatchObject({ status: 422 });
    expect((await webhooks.updateEndpoint(id, { api_version: "2025-07" })).api_version).toBe("2025-07");
    const create = (api_version: string) => send(CREATE, { version: null, json: endpointInput({ api_version }) });
    expect([(await create("2024-10")).status, (await create("2025-07")).status]).toEqual([422, 201]);
  });
});
