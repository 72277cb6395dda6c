import { describe, expect, it } from "vitest";
import { type AssumptionChoices, strict } from "../../mock/index.ts";
import { openAdapter, problems, testedVersion } from "../support/adapter.ts";
import { endpointInput } from "../support/samples.ts";
import { AFTER_NEXT, CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";

const CREATE = "POST /v1/webhooks/endpoints";

/** Returns the line of the request that updates an endpoint. */
const update = (id: string) => `PATCH /v1/webhooks/endpoints/${id}`;

describe("creating and updating a webhook endpoint", () => {
  it("WHE-9, G-WHE-PATHS: returns 422 for each missing field, and for an `enabled` that is not a boolean", async () => {
    const { mock, send } = await openAdapter();
    const missing = ["body.url missing", "body.format missing", "body.events missing"];
    expect(problems(await send(CREATE, { json: {} }))).toEqual(missing);
    expect(mock.webhookEndpoints.size).toBe(0);
    const { id } = mock.webhookEndpoints.create();
    expect(problems(await send(update(id), { json: { enabled: "yes" } }))).toEqual(["body.enabled bool_type"]);
  });

  it.each<[problem: string, values: readonly unknown[]]>([
    ["format enum", ["xml", "RAW", "", null, 1, ["raw"]]],
    ["events.1 enum", [["order.paid", "order.lost"]]],
    ["events list_type", ["order.paid"]],
    ["api_version string_type", [2025]],
    ["api_version value_error", ["2024-07", AFTER_NEXT, "2025-1", "", `${CURRENT} `, "__proto__"]],
    ["url value_error", ["/hooks", "hooks.example", "", "ftp://hooks.example/", "javascript:alert(1)"]],
    ["url value_error", ["https://user@hooks.example/", "https://:hush@hooks.example/"]],
  ])(
    "WHE-4, WHT-1, VER-8, ERR-4, G-WHE-VER, G-WHE-URL: returns 422 at %s for %j, with all other problems, and changes nothing",
    async (problem, values) => {
      const { mock, send } = await openAdapter();
      const before = mock.webhookEndpoints.create();
      const [field = ""] = problem.split(/[. ]/);
      for (const value of values) {
        for (const line of [CREATE, update(before.id)]) {
          const answer = await send(line, { json: endpointInput({ name: 5, [field]: value }) });
          expect(problems(answer).sort()).toEqual([`body.${problem}`, "body.name string_type"].sort());
          expect(JSON.stringify(answer.body)).not.toContain("hush");
        }
      }
      expect(mock.webhookEndpoints.list()).toEqual([before]);
    },
  );

  it("G-WHE-PATHS, G-WHE-URL, G-EMPTY: changes only the given fields, even none, and the modification time", async () => {
    const { mock, send } = await openAdapter();
    let before: object = mock.webhookEndpoints.create();
    const { id } = mock.webhookEndpoints.list()[0]!;
    const urls = ["https://hooks.example/x", "http://localhost:3000/hooks", "https://hooks.example/?a=b#c"];
    const changes = [{ format: "slack" }, { events: ["refund.created", "order.paid"] }, { enabled: false }];
    const name = "a\r\nSet-Cookie: b=c\r\n\r\n<script>alert(1)</script>\u2028\u0000";
    for (const json of [...urls.map((url) => ({ url })), { name }, ...changes, { api_version: NEXT }, {}]) {
      const answer = await send(update(id), { json });
      const after = { ...before, ...json, modified_at: expect.stringMatching(/Z$/) };
      expect(answer).toMatchObject({ status: 200, body: after });
      before = mock.webhookEndpoints.get(id)!;
      expect(before).toEqual(after);
    }
  });

  it.each([{}, { nullFields: "accept" } as const])("G-NULL: null clears the name (%j)", async (assumptions) => {
    const { mock, send } = await openAdapter({ assumptions });
    const { id } = mock.webhookEndpoints.create({ name: "Orders" });
    expect(await send(update(id), { json: { name: null } })).toMatchObject({ status: 200, body: { name: null } });
  });

  it("G-WHE-PATHS, G-EVT-ORG: accepts a name and, with a personal access token, the organization", async () => {
    const { mock, client } = await openAdapter();
    const [one, two] = [mock.organizations.create(), mock.organizations.create()];
    const user = mock.users.create({ organization_ids: [one.id, two.id] });
    const { webhooks } = client(testedVersion, { accessToken: mock.issueToken({ type: "pat", user }) });
    const created = await webhooks.createEndpoint(endpointInput({ name: "Orders", organization_id: two.id }));
    expect(created).toMatchObject({ name: "Orders", organization_id: two.id });
    for (const organization_id of [undefined, "acme"]) {
      const { error } = await webhooks.createEndpoint(endpointInput({ organization_id })).safe();
      expect(error).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "organization_id"] }] } });
    }
  });
});

it("G-WHE-URL, G-WHE-SECRET: a strict mock limits hosts, the length of URLs and that of secrets; others do not", async () => {
  const { endpointUrl, minSecretLength } = strict;
  const { send } = await openAdapter({ assumptions: { endpointUrl, minSecretLength } });
  const standard = await openAdapter();
  const [url, secret] = [
    (length: number) => `https://a.example/`.padEnd(length, "x"),
    (length: number) => "x".repeat(length),
  ];
  const rejected = [{ url: url(2_084) }, { url: "https://a_b.example/" }, { secret: secret(31) }];
  const { id } = (await send(CREATE, { json: endpointInput({ url: url(2_083), secret: secret(32) }) })).body as {
    id: string;
  };
  for (const fields of rejected) {
    const [field] = Object.keys(fields);
    expect((await standard.send(CREATE, { json: endpointInput(fields) })).status).toBe(201);
    const answers = [await send(CREATE, { json: endpointInput(fields) }), await send(update(id), { json: fields })];
    for (const answer of answers) expect(problems(answer)[0]).toMatch(new RegExp(`^body.${field} `));
  }
});

it("G-WHE-URL: a URL is stored as it was sent, or normalized", async () => {
  const url = "  https://HOOKS.Example/a b";
  const stored = async (assumptions: AssumptionChoices) => {
    const { send } = await openAdapter({ assumptions });
    const { body } = await send(CREATE, { json: endpointInput({ url }) });
    const { id } = body as { id: string };
    return [body, (await send(update(id), { json: { url } })).body];
  };
  expect(await stored({})).toMatchObject([{ url }, { url }]);
  const normalized = { url: "https://hooks.example/a%20b" };
  expect(await stored({ endpointUrl: { stored: "normalized" } })).toMatchObject([normalized, normalized]);
});

it("G-WHE-URL: the URL must use https: outside private networks in a strict mock, and not otherwise", async () => {
  const { endpointUrl, unknownFields } = strict;
  const { send } = await openAdapter({ assumptions: { endpointUrl, unknownFields } });
  const standard = await openAdapter();
  const create = (url: string, by = send) => by(CREATE, { json: endpointInput({ url }) });
  const names = ["localhost", "app.localhost:3000", "printer.local", "2130706433", "0.0.0.0"];
  const four = ["10.1.2.3", "100.64.0.1", "169.254.169.254", "172.31.0.1", "192.168.1.1"];
  const six = ["[::1]", "[::ffff:10.0.0.1]", "[fc00::1]", "[fe80::1]"];
  for (const host of ["hooks.example", "100.128.0.1", "[2606:4700::1]"])
    expect((await create(`https://${host}/`)).status).toBe(201);
  for (const url of [...names, ...four, ...six].map((host) => `https://${host}/`)) {
    expect((await create(url, standard.send)).status).toBe(201);
    expect([url, ...problems(await create(url))]).toEqual([url, "body.url value_error"]);
  }
  const problem = { loc: ["body", "url"], type: "value_error" };
  expect((await create("http://hooks.example/")).body).toMatchObject({ detail: [problem] });
  const json = endpointInput({ color: "red" });
  expect(problems(await send(CREATE, { json }))).toEqual(["body.color extra_forbidden"]);
});

describe("the api_version of an endpoint", () => {
  it("VER-7: is Current at creation, and stays the same after a release", async () => {
    const { mock, client } = await openAdapter();
    const { webhooks } = client(NEXT);
    const before = await webhooks.createEndpoint(endpointInput());
    mock.release();
    const after = await webhooks.createEndpoint(endpointInput());
    expect([before.api_version, after.api_version]).toEqual([CURRENT, NEXT]);
    expect(await webhooks.getEndpoint(before.id)).toEqual(before);
  });

  it("G-REMOVED, ERR-4, VER-8: keeps a removed version until a supported one is set", async () => {
    const { mock, client } = await openAdapter();
    const { id } = mock.webhookEndpoints.create({ api_version: DEPRECATED });
    mock.release();
    const { webhooks } = client(NEXT);
    expect((await webhooks.getEndpoint(id)).api_version).toBe(DEPRECATED);
    expect((await webhooks.updateEndpoint(id, { enabled: false })).api_version).toBe(DEPRECATED);
    const removed = { api_version: DEPRECATED } as const;
    for (const call of [webhooks.updateEndpoint(id, removed), webhooks.createEndpoint(endpointInput(removed))]) {
      const { error } = await call.safe();
      expect(error).toMatchObject({ status: 422 });
      expect(String(error)).toContain(`Only supported API versions are accepted: ${CURRENT}, ${NEXT}, ${AFTER_NEXT}`);
    }
    expect((await webhooks.updateEndpoint(id, { api_version: AFTER_NEXT })).api_version).toBe(AFTER_NEXT);
  });
});
