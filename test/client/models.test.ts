import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import type { ClientOptions } from "../../src/client/index.ts";
import { versionNames, versions } from "../support/clients.ts";

const EMAILS = ["ann+tag@shop.example", '"ann b@home"@shop.example', "ann@[IPv6:2001:db8::1]", "用户@例子.广告"];
const TIMES = [
  "2025-01-02T03:04:05Z",
  "2025-01-02T03:04:05.678901234Z",
  "2025-01-02T03:04:05.6+05:45",
  "2016-12-31T23:59:60Z",
];

describe.each(versionNames)("a client of %s", (version) => {
  /** Creates a client of a mock whose response bodies `change` replaces. */
  function clientOf(change: (body: object) => unknown, type: "oat" | "pat" = "oat") {
    const mock = createMock();
    const fetch: ClientOptions["fetch"] = async (url, init) => {
      const response = await mock.fetch(url, init);
      return new Response(JSON.stringify(change((await response.json()) as object)), response);
    };
    const accessToken = mock.issueToken({ type });
    return { mock, ...versions[version].createClient({ accessToken, fetch, onResponseMismatch: "throw" }) };
  }

  const authorize = (fields: object, type: "oat" | "pat" = "oat") =>
    clientOf((body) => ({ ...body, ...fields }), type).oauth2.authorize();
  const withEmail = (email: unknown) => authorize({ sub: { id: "u1", avatar_url: null, email } }, "pat");
  const readEndpoint = (fields: object) => {
    const { mock, webhooks } = clientOf((body) => ({ ...body, ...fields }));
    return webhooks.getEndpoint(mock.webhookEndpoints.create().id);
  };

  it("accepts every email address of RFC 6531, and every time of RFC 3339", async () => {
    for (const email of EMAILS) expect((await withEmail(email)).sub).toMatchObject({ email });
    for (const created_at of TIMES) expect((await readEndpoint({ created_at })).created_at).toBe(created_at);
  });

  it.each([
    ["sub.email", ["", "ann", "@shop.example"], withEmail],
    [
      "created_at",
      ["2025-01-02T03:04:05", "2025-01-02 03:04:05Z"],
      (created_at: string) => readEndpoint({ created_at }),
    ],
    ["api_version", ["2025-13", "latest"], (api_version: string) => readEndpoint({ api_version })],
    ["scope_display_names", [[]], (scope_display_names: unknown) => authorize({ scope_display_names })],
    ["sub", ["o1"], (sub: unknown) => authorize({ sub })],
  ] as const)("VER-1: does not accept another form of %s", async (path, values, call) => {
    for (const value of values) {
      const { error } = await call(value as never).safe();
      expect(error, String(value)).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path }] });
    }
  });

  it.each([
    { sub_type: "org", sub: { uuid: "o1" } },
    { sub: null },
    { scope_display_names: { "events:write": "Write events", "coffee:read": "Read coffee" } },
  ])("G-AUT-OPEN: returns an organization variant as the service sends it: %j", async (fields) => {
    expect(await authorize(fields)).toMatchObject(fields);
  });

  it.each([
    [{ data: [{ id: "p1" }], has_more: false }, "items"],
    [{ items: [7], pagination: { next: "abc" } }, "pagination.max_page"],
  ])("G-AUT-OPEN: returns a page of products as it is, but does not iterate over it: %j", async (page, path) => {
    const { products } = clientOf(() => page);
    expect(await products.list()).toEqual(page);
    const iterated = Array.fromAsync(products.list());
    await expect(iterated).rejects.toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path }] });
  });
});
