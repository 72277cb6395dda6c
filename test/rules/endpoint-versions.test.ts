import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { versionNames } from "../support/clients.ts";
import { endpointInput } from "../support/samples.ts";

const CREATE = "POST /v1/webhooks/endpoints";
const UNSUPPORTED = ["2024-07", "2025-07", "1999-01", "2025-1", "latest", "", "2025-01 ", "__proto__"];

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

  it.each(UNSUPPORTED)("VER-8, ERR-4, G-WHE-VER: rejects %j at creation, and stores nothing", async (api_version) => {
    const { mock, send } = await openAdapter();
    for (const version of versionNames) {
      const answer = await send(CREATE, { version, json: endpointInput({ api_version }) });
      expect(problems(answer)).toEqual(["body.api_version value_error"]);
    }
    expect(mock.webhookEndpoints.size).toBe(0);
  });

  it.each(UNSUPPORTED)("VER-8, ERR-4, G-WHE-VER: rejects %j in an update, and changes nothing", async (api_version) => {
    const { mock, client } = await openAdapter();
    const before = mock.webhookEndpoints.create();
    const { error } = await client().webhooks.updateEndpoint(before.id, { name: "new", api_version }).safe();
    const item = { loc: ["body", "api_version"], type: "value_error", input: api_version };
    expect(error).toMatchObject({ status: 422, body: { detail: [item] } });
    expect(String(error)).toContain("Only supported API versions are accepted");
    expect(mock.webhookEndpoints.get(before.id)).toEqual(before);
  });

  it("ERR-4, VER-8: rejects a removed version, and accepts the new Next", async () => {
    const { mock, send } = await openAdapter();
    mock.release();
    expect((await send(CREATE, { version: null, json: endpointInput({ api_version: "2024-10" }) })).status).toBe(422);
    expect((await send(CREATE, { version: null, json: endpointInput({ api_version: "2025-07" }) })).status).toBe(201);
  });

  it("VER-6: does not change with an update under another version", async () => {
    const { mock, client } = await openAdapter();
    const { id } = mock.webhookEndpoints.create({ api_version: "2024-10" });
    for (const version of versionNames) {
      expect((await client(version).webhooks.updateEndpoint(id, { name: version })).api_version).toBe("2024-10");
    }
  });

  it("G-REMOVED: stays a removed version until it is set to a supported one", async () => {
    const { mock, client } = await openAdapter();
    const { id } = mock.webhookEndpoints.create({ api_version: "2024-10" });
    mock.release();
    const { webhooks } = client("2025-04");
    expect((await webhooks.getEndpoint(id)).api_version).toBe("2024-10");
    expect((await webhooks.updateEndpoint(id, { enabled: false })).api_version).toBe("2024-10");
    expect((await webhooks.updateEndpoint(id, { api_version: "2024-10" }).safe()).error).toMatchObject({ status: 422 });
    expect((await webhooks.updateEndpoint(id, { api_version: "2025-07" })).api_version).toBe("2025-07");
  });

  it("ERR-4, G-WHE-VER: is reported together with all other problems", async () => {
    const { mock, send } = await openAdapter();
    const { id } = mock.webhookEndpoints.create();
    const json = endpointInput({ url: "nowhere", format: "xml", api_version: "1999-01" });
    const wrong = ["body.format enum", "body.url value_error", "body.api_version value_error"];
    expect(problems(await send(CREATE, { json }))).toEqual(wrong);
    expect(problems(await send(`PATCH /v1/webhooks/endpoints/${id}`, { json }))).toEqual(wrong);
  });
});
