import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { versionNames, versions } from "../support/clients.ts";

/** Creates a client of a mock whose responses have every `from` replaced by `to`. */
function clientOf(version: keyof typeof versions, from: string, to: string) {
  const mock = createMock({ now: "2025-01-02T03:04:05.678Z" });
  const fetch = async (request: Request): Promise<Response> => {
    const response = await mock.fetch(request);
    const text = (await response.text()).replaceAll(JSON.stringify(from), JSON.stringify(to));
    return new Response(text, response);
  };
  const user = mock.users.create({ email: "ann@shop.example" });
  const accessToken = mock.issueToken({ type: "pat", user });
  return { mock, client: versions[version].createClient({ accessToken, fetch }) };
}

const EMAILS = [
  "ann@localhost",
  "ann+tag@shop.example",
  "o'hara@shop.example",
  '"ann b@home"@shop.example',
  '""@shop.example',
  "ann@[192.0.2.1]",
  "ann@[IPv6:2001:db8::1]",
  "用户@例子.广告",
  "πετρος@ελλάδα.gr",
  "ann@xn--fsqu00a.example",
  "!#$%&'*+/=?^_`{|}~@shop.example",
  "a\u00a0b\u2028c@shop.example",
];

const TIMES = [
  "2025-01-02T03:04:05Z",
  "2025-01-02T03:04:05.6Z",
  "2025-01-02T03:04:05.678Z",
  "2025-01-02T03:04:05.678901234Z",
  "2025-01-02T03:04:05+00:00",
  "2025-01-02T03:04:05.678000+00:00",
  "2025-01-02T03:04:05-00:00",
  "2025-01-02t03:04:05z",
  "2016-12-31T23:59:60Z",
  "2024-02-29T00:00:00Z",
];

const NOT_UTC = ["2025-01-02T03:04:05", "2025-01-02T03:04:05+01:00", "2025-01-02 03:04:05Z", "2025-01-02", "now"];

describe.each(versionNames)("a client of %s", (version) => {
  it.each(EMAILS)("accepts %j as an email address (RFC 6531)", async (email) => {
    const { client } = clientOf(version, "ann@shop.example", email);
    expect((await client.oauth2.authorize()).sub).toMatchObject({ email });
  });

  it.each(["", "ann", "@", "ann@", "@shop.example"])("rejects %j as an email address", async (email) => {
    const { client } = clientOf(version, "ann@shop.example", email);
    const { error } = await client.oauth2.authorize().safe();
    expect(error).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path: "sub.email" }] });
  });

  it.each(TIMES)("accepts %s as a time in UTC (RFC 3339)", async (time) => {
    const { mock, client } = clientOf(version, "2025-01-02T03:04:05.678000Z", time);
    const { id } = mock.webhookEndpoints.create();
    expect((await client.webhooks.getEndpoint(id)).created_at).toBe(time);
  });

  it.each(NOT_UTC)("rejects %j as a time in UTC", async (time) => {
    const { mock, client } = clientOf(version, "2025-01-02T03:04:05.678000Z", time);
    const { id } = mock.webhookEndpoints.create();
    const { error } = await client.webhooks.getEndpoint(id).safe();
    expect(error).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path: "created_at" }] });
  });
});
