import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { versionNames, versions } from "../support/clients.ts";

/** Creates a client of a mock whose response bodies `change` replaces. */
function clientOf(version: keyof typeof versions, change: (body: never) => unknown, type: "oat" | "pat" = "oat") {
  const mock = createMock();
  const fetch = async (request: Request): Promise<Response> => {
    const response = await mock.fetch(request);
    return new Response(JSON.stringify(change((await response.json()) as never)), response);
  };
  return versions[version].createClient({ accessToken: mock.issueToken({ type }), fetch });
}

describe.each(versionNames)("a client of %s", (version) => {
  it.each([
    [{ sub_type: "org", sub: { uuid: "o1" } }],
    [{ sub_type: "organisation", sub: {} }],
    [{ sub: null }],
    [{ sub: { id: 7, name: null } }],
    [{ scope_display_names: {} }],
    [{ scope_display_names: { "events:write": "Write events", "coffee:read": "Read coffee" } }],
  ])("G-AUT-OPEN: returns an organization variant as the service sends it: %j", async (fields) => {
    const { oauth2 } = clientOf(version, (body: object) => ({ ...body, ...fields }));
    expect(await oauth2.authorize()).toMatchObject(fields);
  });

  it.each([
    [{ scope_display_names: { "events:write": 7 } }, "scope_display_names"],
    [{ scope_display_names: [] }, "scope_display_names"],
    [{ sub_type: 7 }, "sub_type"],
    [{ sub: "o1" }, "sub"],
  ])("rejects fields of another JSON type than the specification states: %j", async (fields, path) => {
    const { oauth2 } = clientOf(version, (body: object) => ({ ...body, ...fields }));
    const { error } = await oauth2.authorize().safe();
    expect(error).toMatchObject({ name: "ResponseMismatchError" });
    expect(error?.message).toContain(`: ${path}`);
  });

  it("still requires the fields of a user, which the specification shows", async () => {
    const { oauth2 } = clientOf(version, (body: object) => ({ ...body, sub: { id: "u1" } }), "pat");
    const { error } = await oauth2.authorize().safe();
    expect(error?.message).toContain("a user needs a sub with id, email and avatar_url");
  });

  it.each([
    [{ data: [{ id: "p1" }], has_more: false }],
    [{ items: [7], pagination: { next: "abc" } }],
    [{ items: { p1: {} } }],
    [[{ id: "p1" }]],
  ])("G-AUT-OPEN: returns a page of products as the service sends it: %j", async (page) => {
    expect(await clientOf(version, () => page).products.list()).toEqual(page);
  });

  it("G-AUT-OPEN: iterates over a list of another form only if it knows where it ends", async () => {
    const seen: unknown[] = [];
    const iterate = async (page: unknown) => {
      for await (const product of clientOf(version, () => page).products.list()) seen.push(product);
    };
    await expect(iterate({ data: [] })).rejects.toMatchObject({
      name: "ResponseMismatchError",
      mismatches: [{ path: "items" }],
    });
    await expect(iterate({ items: [{ id: "p1" }], next: "abc" })).rejects.toMatchObject({
      name: "ResponseMismatchError",
      mismatches: [{ path: "pagination.max_page" }],
    });
    expect(seen).toEqual([{ id: "p1" }]);
  });
});
