import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { type VersionName, versionNames, versions } from "../support/clients.ts";

/** Creates a client of a mock whose response bodies `change` replaces. */
function clientOf(version: VersionName, change: (body: object) => unknown, type: "oat" | "pat" = "oat") {
  const mock = createMock();
  const fetch = async (request: Request): Promise<Response> => {
    const response = await mock.fetch(request);
    return new Response(JSON.stringify(change((await response.json()) as object)), response);
  };
  return { mock, client: versions[version].createClient({ accessToken: mock.issueToken({ type }), fetch }) };
}

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
  "2025-01-02t03:04:05z",
  "2016-12-31T23:59:60Z",
];

const NOT_UTC = ["2025-01-02T03:04:05", "2025-01-02T03:04:05+01:00", "2025-01-02 03:04:05Z", "2025-01-02", "now"];

describe.each(versionNames)("a client of %s", (version) => {
  const authorize = (fields: object, type: "oat" | "pat" = "oat") =>
    clientOf(version, (body) => ({ ...body, ...fields }), type).client.oauth2.authorize();
  const user = { id: "u1", avatar_url: null };

  it.each(EMAILS)("accepts %j as an email address (RFC 6531)", async (email) => {
    expect((await authorize({ sub: { ...user, email } }, "pat")).sub).toMatchObject({ email });
  });

  it.each(["", "ann", "@", "ann@", "@shop.example"])("rejects %j as an email address", async (email) => {
    const { error } = await authorize({ sub: { ...user, email } }, "pat").safe();
    expect(error).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path: "sub.email" }] });
  });

  const readEndpoint = (fields: object) => {
    const { mock, client } = clientOf(version, (body) => ({ ...body, ...fields }));
    return client.webhooks.getEndpoint(mock.webhookEndpoints.create().id);
  };

  it.each(TIMES)("accepts %s as a time in UTC (RFC 3339)", async (time) => {
    expect((await readEndpoint({ created_at: time })).created_at).toBe(time);
  });

  it.each(NOT_UTC)("rejects %j as a time in UTC", async (time) => {
    const { error } = await readEndpoint({ created_at: time }).safe();
    expect(error).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path: "created_at" }] });
  });

  it.each(["2025-1", "2025-13", "latest"])("VER-1: rejects %j as the version of an endpoint", async (api_version) => {
    const { error } = await readEndpoint({ api_version }).safe();
    expect(error).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path: "api_version" }] });
  });

  it.each([
    [{ sub_type: "org", sub: { uuid: "o1" } }],
    [{ sub_type: "organisation", sub: {} }],
    [{ sub: null }],
    [{ sub: { id: 7, name: null } }],
    [{ scope_display_names: {} }],
    [{ scope_display_names: { "events:write": "Write events", "coffee:read": "Read coffee" } }],
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
    expect(error).toMatchObject({ name: "ResponseMismatchError" });
    expect(error?.message).toContain(says);
  });

  it.each([
    [{ data: [{ id: "p1" }], has_more: false }, "items"],
    [{ items: [7], pagination: { next: "abc" } }, "pagination.max_page"],
    [{ items: { p1: {} } }, "items"],
    [[{ id: "p1" }], "items"],
  ])(
    "G-AUT-OPEN: returns a page of products as the service sends it, but does not iterate over it: %j",
    async (page, path) => {
      const { products } = clientOf(version, () => page).client;
      expect(await products.list()).toEqual(page);
      const iterate = async () => {
        for await (const _ of products.list());
      };
      await expect(iterate()).rejects.toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path }] });
    },
  );
});
