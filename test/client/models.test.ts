import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import type { Call } from "../../src/client/index.ts";
import { versionNames, versions } from "../support/clients.ts";

const EMAILS = [
  "ann@localhost",
  "ann+tag@shop.example",
  '"ann b@home"@shop.example',
  '""@shop.example',
  "ann@[IPv6:2001:db8::1]",
  "用户@例子.广告",
  "!#$%&'*+/=?^_`{|}~@shop.example",
  "a\u00a0b\u2028c@shop.example",
];

const TIMES = [
  "2025-01-02T03:04:05Z",
  "2025-01-02T03:04:05.6Z",
  "2025-01-02T03:04:05.678901234Z",
  "2025-01-02T03:04:05+00:00",
  "2025-01-02T03:04:05.678000-00:00",
  "2025-01-02T03:04:05+05:45",
  "2025-01-02t03:04:05z",
  "2016-12-31T23:59:60Z",
];

const NOT_TIMES = ["2025-01-02T03:04:05", "2025-01-02T03:04:05+24:00", "2025-01-02 03:04:05Z", "2025-01-02", "now"];

describe.each(versionNames)("a client of %s", (version) => {
  /** Creates a client of a mock whose response bodies `change` replaces. */
  function clientOf(change: (body: object) => unknown, type: "oat" | "pat" = "oat") {
    const mock = createMock();
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      const response = await mock.fetch(url, init);
      return new Response(JSON.stringify(change((await response.json()) as object)), response);
    };
    return {
      mock,
      ...versions[version].createClient({ accessToken: mock.issueToken({ type }), fetch, onResponseMismatch: "throw" }),
    };
  }

  const authorize = (fields: object, type: "oat" | "pat" = "oat") =>
    clientOf((body) => ({ ...body, ...fields }), type).oauth2.authorize();
  const withEmail = (email: unknown) => authorize({ sub: { id: "u1", avatar_url: null, email } }, "pat");
  const readEndpoint = (fields: object) => {
    const { mock, webhooks } = clientOf((body) => ({ ...body, ...fields }));
    return webhooks.getEndpoint(mock.webhookEndpoints.create().id);
  };
  const withTime = (created_at: string) => readEndpoint({ created_at });
  const withVersion = (api_version: string) => readEndpoint({ api_version });

  it("accepts every email address of RFC 6531, and every time of RFC 3339", async () => {
    for (const email of EMAILS) expect((await withEmail(email)).sub).toMatchObject({ email });
    for (const time of TIMES) expect((await withTime(time)).created_at).toBe(time);
  });

  async function expectMismatch<Value>(path: string, call: (value: Value) => Call<unknown>, values: Value[]) {
    for (const value of values) {
      const { error } = await call(value).safe();
      expect(error, String(value)).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path }] });
    }
  }

  it("rejects other email addresses and times", async () => {
    await expectMismatch("sub.email", withEmail, ["", "ann", "@", "ann@", "@shop.example"]);
    await expectMismatch("created_at", withTime, NOT_TIMES);
  });

  it("VER-1: rejects another version of an endpoint", async () => {
    await expectMismatch("api_version", withVersion, ["2025-1", "2025-13", "latest"]);
  });

  it.each([
    { sub_type: "org", sub: { uuid: "o1" } },
    { sub_type: "organisation", sub: {} },
    { sub: null },
    { sub: { id: 7, name: null } },
    { scope_display_names: {} },
    { scope_display_names: { "events:write": "Write events", "coffee:read": "Read coffee" } },
  ])("G-AUT-OPEN: returns an organization variant as the service sends it: %j", async (fields) => {
    expect(await authorize(fields)).toMatchObject(fields);
  });

  it.each<[object, "oat" | "pat", says: string]>([
    [{ scope_display_names: { "events:write": 7 } }, "oat", ": scope_display_names"],
    [{ scope_display_names: [] }, "oat", ": scope_display_names"],
    [{ sub_type: 7 }, "oat", ": sub_type"],
    [{ sub: "o1" }, "oat", ": sub"],
    [{ sub: { id: "u1" } }, "pat", "a user needs a sub with id, email and avatar_url"],
  ])("rejects fields of another type than the specification states: %j", async (fields, type, says) => {
    const { error } = await authorize(fields, type).safe();
    expect(error).toMatchObject({ name: "ResponseMismatchError", message: expect.stringContaining(says) as string });
  });

  it.each([
    [{ data: [{ id: "p1" }], has_more: false }, "items"],
    [{ items: [7], pagination: { next: "abc" } }, "pagination.max_page"],
    [{ items: { p1: {} } }, "items"],
    [[{ id: "p1" }], "items"],
  ])("G-AUT-OPEN: returns a page of products as it is, but does not iterate over it: %j", async (page, path) => {
    const { products } = clientOf(() => page);
    expect(await products.list()).toEqual(page);
    const iterated = Array.fromAsync(products.list());
    await expect(iterated).rejects.toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path }] });
  });
});
