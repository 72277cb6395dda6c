import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { nextSample } from "../../examples/next-sample/contract.ts";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { bindVersion } from "../../src/contract.ts";
import { toOpenApi } from "../../src/openapi/to-openapi.ts";
import { openAdapter, problems } from "../support/adapter.ts";
import { answering, type Changes, contractsWith, current, deprecated, next } from "../support/contracts.ts";
import { NOBODY, usage } from "../support/samples.ts";
import { AFTER_NEXT, CURRENT, DEPRECATED, LAST, NEXT } from "../support/versions.ts";

const INGEST = "POST /v1/events/ingest";
const READ = "GET /v1/webhooks/endpoints";

/** Opens a mock whose Next has some operations changed, and perhaps other fields. */
async function openNext(changes: Changes = {}, more: Partial<Contract> = {}) {
  const adapter = await openAdapter({ contracts: contractsWith(changes, more) });
  const ingest = (version: string, events: unknown, token?: string | null) =>
    adapter.send(INGEST, { version, json: { events }, ...(token === undefined ? {} : { token }) });
  return { ...adapter, ingest };
}

/** The types of an operation whose successful response has no body. */
interface Removal {
  readonly path: { readonly id: string };
  readonly body: object;
  readonly data: undefined;
  readonly failures: object;
}

/** Changes the schema of an ingested batch. */
const ofBatch = (events: object): Changes => ({
  "events:ingest": () => ({ request: { body: z.object({ events: events as never }) as unknown as Schema } }),
});

/** Moves failures of an operation to other statuses. */
const moving =
  (statuses: Readonly<Record<number, number>>) =>
  ({ failures }: Operation): Pick<Operation, "failures"> => {
    const moved = Object.entries(failures as Record<number, Schema>).map(([status, schema]) => {
      return [statuses[Number(status)] ?? status, schema] as const;
    });
    return { failures: Object.fromEntries(moved) };
  };

const withTeam = (operation: Operation) => {
  const fields = { team: z.exactOptional(z.string()) };
  return answering(z.extend(operation.response.body as unknown as z.ZodMiniObject, fields))(operation);
};
const ids = ["webhooks:get_webhook_endpoint", "webhooks:update_webhook_endpoint"];
const changes = Object.fromEntries(ids.map((id) => [id, withTeam]));
it("VER-2, VER-3, VER-4, LIF-3, LIF-4, LIF-7, G-NEXTNEXT: a response field of Next is not in older versions, even after a release", async () => {
  const { mock, send } = await openNext(changes);
  const { id } = mock.webhookEndpoints.create({ team: "payments" } as object);
  const shown = async (...versions: readonly (string | null)[]) => {
    const teams: unknown[] = [];
    for (const version of versions) {
      const read = await send(`${READ}/${id}`, { version });
      const updated = await send(`PATCH /v1/webhooks/endpoints/${id}`, { version, json: { name: version } });
      teams.push([read, updated].map(({ body }) => (body as { team?: string }).team));
    }
    return teams;
  };
  const none = [undefined, undefined];
  const both = ["payments", "payments"];
  expect(await shown(DEPRECATED, CURRENT, NEXT, CURRENT, null)).toEqual([none, none, both, none, none]);
  mock.release();
  expect(await shown(CURRENT, NEXT, AFTER_NEXT, null)).toEqual([none, both, both, both]);
});

describe("a contract given to the mock", () => {
  it("VER-2, G-EVT-REQ: limits a list and the fields of its items, only in its version", async () => {
    const event = z.object({ name: z.string().check(z.maxLength(200)), customer_id: z.uuidv4() });
    const { ingest } = await openNext(ofBatch(z.array(event).check(z.minLength(1), z.maxLength(3))));
    const named = (length: number) => [usage({ name: "x".repeat(length) })];
    expect((await ingest(NEXT, named(200))).status).toBe(200);
    expect((await ingest(CURRENT, named(201))).status).toBe(200);
    for (const [events, problem] of [
      [named(201), "body.events.0.name string_too_long"],
      [[], "body.events too_short"],
      [Array(4).fill(usage()), "body.events too_long"],
      [[usage(), 5], "body.events.1 dict_type"],
    ] as const) {
      expect(problems(await ingest(NEXT, events))).toEqual([problem]);
    }
  });

  it("VER-2: describes what a parameter requires, and reads numbers only where they are expected", async () => {
    for (const [shelf, value, msg] of [
      [z.string().check(z.regex(/^[0-9]{4}$/)), "20", "String should match pattern '/^[0-9]{4}$/'"],
      [z.union([z.string().check(z.minLength(3)), z.int()]), "12", "String should have at least 3 characters"],
      [z.number().check(z.minimum(2)), "1.5", "Input should be at least 2"],
    ]) {
      const query = z.object({ shelf: shelf as never }) as unknown as Schema;
      const { send } = await openNext({ "products:list": () => ({ request: { query } }) });
      const answer = await send(`GET /v1/products/?shelf=${value}`, { version: NEXT });
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ msg }] } });
    }
  });

  it("may have an operation whose successful response has no body", async () => {
    const id = "webhooks:update_webhook_endpoint";
    const contract = contractsWith({ [id]: () => ({ response: { status: 204 } }) })[2] as Contract;
    const { mock, fetch, baseUrl } = await openAdapter({ contracts: [deprecated, current, contract] });
    const endpoint = mock.webhookEndpoints.create();
    const operation = contract.operations.find((each) => each.id === id) as Operation<Removal>;
    const { send } = bindVersion(NEXT, { accessToken: mock.issueToken(), fetch, baseUrl });
    const { data, response } = await send(operation, { path: { id: endpoint.id }, body: {} }).withResponse();
    expect([data, response.status]).toEqual([undefined, 204]);
    const { paths } = toOpenApi(contract);
    expect(paths["/v1/webhooks/endpoints/{id}"]?.patch?.responses["204"]).not.toHaveProperty("content");
  });

  it("VER-2: declares the status of every failure", async () => {
    const { mock, send, ingest } = await openNext({
      "events:ingest": moving({ 401: 402, 403: 409, 422: 400 }),
      "webhooks:get_webhook_endpoint": moving({ 404: 410 }),
    });
    const [oidc, powerless] = [mock.issueToken({ type: "oidc" }), mock.issueToken({ scopes: [] })];
    const statuses = async (version: string) => {
      const rejected = [await send(`${READ}/${NOBODY}`, { version }), await ingest(version, [{ name: "a" }])];
      for (const token of [oidc, powerless, null, "unknown"]) rejected.push(await ingest(version, [], token));
      return rejected.map(({ status }) => status);
    };
    expect(await statuses(NEXT)).toEqual([410, 400, 402, 409, 402, 402]);
    expect(await statuses(CURRENT)).toEqual([404, 422, 401, 403, 401, 401]);
    mock.fault({ operation: "products:list", status: 503 });
    expect((await ingest(NEXT, [], "unknown")).status).toBe(402);
  });

  it("VER-2: declares operations, credentials and the status of a success", async () => {
    const changes: Changes = {
      "products:list": () => ({ method: "POST" }),
      "events:ingest": ({ response }) => ({
        security: { schemes: ["pat"], scopes: ["events:write"] },
        response: { ...response, status: 202 },
      }),
    };
    const { mock, send, ingest } = await openNext(changes);
    const statuses = async (version: string) => {
      const list = await send("GET /v1/products/", { version });
      const answers = [list, await ingest(version, [usage()])];
      answers.push(await ingest(version, [usage()], mock.issueToken({ type: "pat" })));
      return answers.map(({ status }) => status);
    };
    expect(await statuses(CURRENT)).toEqual([200, 200, 200]);
    expect(await statuses(NEXT)).toEqual([405, 401, 202]);
  });

  it("receives a 501 for an operation that the mock does not implement", async () => {
    const list = next.operations.find(({ id }) => id === "products:list") as Operation;
    const operations = [...next.operations, { ...list, id: "invoices:list", path: "/v1/invoices/" as const }];
    const { send } = await openNext({}, { operations });
    const detail = expect.stringMatching(
      /^The mock does not implement the operation "invoices:list" from your contract\. It implements: .*events:ingest/,
    );
    const answer = await send("GET /v1/invoices/", { version: next.version });
    expect(answer).toMatchObject({ status: 501, body: { error: "NotImplemented", detail } });
  });

  it("VER-2, SEC-3: declares scopes, which other versions do not have, and which a token has by default", async () => {
    const scopes = [...next.scopes, "invoices:read"];
    const { client, mock, send } = await openNext(
      {
        "products:list": () => ({ security: { schemes: ["oat"], scopes: ["invoices:read"] } }),
        "oauth2:authorize": answering(z.looseObject({})),
      },
      { scopes },
    );
    expect((await send("GET /v1/products/", { version: NEXT })).status).toBe(200);
    const query = "GET /v1/oauth2/authorize?scope=invoices:read";
    expect((await send(query, { version: CURRENT })).body).toMatchObject({ error: "invalid_scope" });
    const { scope_display_names } = await client(CURRENT).oauth2.authorize();
    expect(scope_display_names).not.toHaveProperty("invoices:read");
    const { client_id } = mock.oauthClients.create({ scopes: ["openid", "invoices:read"] });
    expect((await client(CURRENT).oauth2.authorize({ client_id })).scopes).toEqual(["openid"]);
  });
});

describe("the contracts of a mock", () => {
  it.each([
    ["two", [current, next]],
    ["no", []],
    ["two equal", [deprecated, current, { ...next, version: CURRENT }]],
  ])("LIF-1, G-NEXTNEXT: are at least three with different names, not %s", async (_, contracts) => {
    await expect(openAdapter({ contracts })).rejects.toThrow("`contracts` must be at least three");
  });

  it("ENV-2: have the same path for an operation", async () => {
    const contracts = contractsWith({ "products:list": () => ({ path: "/v1/goods/" }) }, {}, current);
    const problem = `createMock: products:list has the path /v1/goods/ in ${CURRENT}, but /v1/products/ before (ENV-2).`;
    await expect(openAdapter({ contracts })).rejects.toThrow(problem);
  });

  it("LIF-1, LIF-5, G-NEXTNEXT: are ordered by name; the first release creates the fourth, a later one copies it", async () => {
    const { mock, send } = await openAdapter({ contracts: [nextSample(next), next, deprecated, current] });
    const event = { name: "api.call", external_customer_id: "acme", source: "gateway" };
    const statuses = async (version: string) => {
      const batches = [[event], [{ ...event, source: undefined }]];
      const responses = await Promise.all(batches.map((events) => send(INGEST, { version, json: { events } })));
      return responses.map(({ status }) => status);
    };
    const first = { deprecated: DEPRECATED, current: CURRENT, next: NEXT };
    expect(mock.versions).toEqual(first);
    expect(await statuses(AFTER_NEXT)).toEqual([404, 404]);
    expect(mock.release()).toEqual({ deprecated: CURRENT, current: NEXT, next: AFTER_NEXT });
    expect(await statuses(NEXT)).toEqual([200, 200]);
    expect(await statuses(AFTER_NEXT)).toEqual([200, 422]);
    expect(mock.release()).toEqual({ deprecated: NEXT, current: AFTER_NEXT, next: LAST });
    expect(await statuses(LAST)).toEqual([200, 422]);
    mock.reset();
    expect(mock.versions).toEqual(first);
    mock.release();
    expect(await statuses(AFTER_NEXT)).toEqual([200, 422]);
  });
});
