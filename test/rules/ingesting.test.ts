import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { NOBODY, usage } from "../support/samples.ts";
import { CURRENT, NEXT } from "../support/versions.ts";

describe("ingesting events", () => {
  it("ING-2, G-EMPTY: a batch may be empty, and nothing but a list", async () => {
    const { send, ingest } = await openAdapter();
    expect(await ingest([])).toMatchObject({ status: 200, body: { inserted: 0, duplicates: 0 } });
    expect(problems(await ingest(null))).toEqual(["body.events list_type"]);
    for (const json of ["events", null]) {
      expect(problems(await send("POST /v1/events/ingest", { json }))).toEqual(["body dict_type"]);
    }
  });

  it("ING-5, G-ING-ATOMIC: a batch with one invalid event among thousands stores nothing, and names the field", async () => {
    const { mock, ingest } = await openAdapter();
    const batch = Array.from({ length: 3000 }, () => usage());
    for (const [fields, problem] of [
      [{ name: 1 }, "name string_type"],
      [{ organization_id: NOBODY }, "organization_id value_error"],
    ] as const)
      expect(problems(await ingest(batch.with(2345, usage(fields))))).toEqual([`body.events.2345.${problem}`]);
    expect(mock.events.size).toBe(0);
  });
});

describe("a duplicate", () => {
  it("G-EVT-DUP: has the external_id of an event of the same organization, whatever its other fields", async () => {
    const { mock, client } = await openAdapter();
    await client().events.ingest([usage({ external_id: "a", name: "first" })]);
    const other = { name: "second", external_customer_id: "acme", external_id: "a" };
    expect(await client(NEXT).events.ingest([other])).toEqual({ inserted: 0, duplicates: 1 });
    expect(mock.events.list()).toMatchObject([{ name: "first" }]);
    const foreign = client(CURRENT, { accessToken: mock.issueToken({ organization: mock.organizations.create() }) });
    expect(await foreign.events.ingest([other])).toEqual({ inserted: 1, duplicates: 0 });
    expect(await foreign.events.ingest([other])).toEqual({ inserted: 0, duplicates: 1 });
  });

  it("G-EVT-DUP: is not an event with no external_id or a different one", async () => {
    const { client } = await openAdapter();
    const ids = ["a", "A", " a", "a ", "ä", "a\u0308", "", "__proto__", "constructor"];
    const batch = [usage(), usage(), ...ids.map((external_id) => usage({ external_id }))];
    expect(await client().events.ingest(batch)).toEqual({ inserted: batch.length, duplicates: 0 });
    const empty = await client().events.ingest([usage({ external_id: "" })]);
    expect(empty).toEqual({ inserted: 0, duplicates: 1 });
  });
});

it("G-EVT-ORG: an event belongs to the token's organization, or to the named or only one of its user; others are rejected", async () => {
  const { mock, ingest } = await openAdapter();
  const [one, two] = [mock.organizations.create(), mock.organizations.create()];
  const member = (...organization_ids: string[]) =>
    ({ type: "pat", user: mock.users.create({ organization_ids }) }) as const;
  const [own, single, several] = [{ organization: one }, member(one.id), member(one.id, two.id)].map((input) =>
    mock.issueToken(input),
  );
  const send = (token: string | undefined, organization_id?: string) =>
    ingest([usage({ organization_id })], { token: token ?? null });
  for (const [token, named] of [[own], [own, one.id.toUpperCase()], [single], [several, two.id]] as const)
    expect((await send(token, named)).status).toBe(200);
  expect(mock.events.list().map((event) => event.organization_id)).toEqual([one.id, one.id, one.id, two.id]);
  const place = "body.events.0.organization_id";
  for (const answer of [send(own, two.id), send(own, NOBODY), send(single, two.id)])
    expect(problems(await answer)).toEqual([`${place} value_error`]);
  expect(problems(await send(several))).toEqual([`${place} missing`]);
  expect(mock.events.size).toBe(4);
});
