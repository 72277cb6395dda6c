import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { createClient as create202410 } from "../../versions/2024-10/index.ts";
import { createClient as create202501 } from "../../versions/2025-01/index.ts";
import { createClient as create202504 } from "../../versions/2025-04/index.ts";

const versions = { "2024-10": create202410, "2025-01": create202501, "2025-04": create202504 };

/** Adds an undeclared field to every object in a value. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, child]) => [name, extended(child)]);
  return { ...Object.fromEntries(fields), from_the_future: "?" };
}

describe.each(Object.entries(versions))("a client of %s", (_, createClient) => {
  const mock = createMock();
  const endpoint = mock.webhookEndpoints.create();
  mock.products.create();
  let sent: unknown;
  const fetch = async (request: Request): Promise<Response> => {
    const { status, headers, body } = await mock.fetch(request);
    sent = extended(await new Response(body).json());
    return new Response(JSON.stringify(sent), { status, headers });
  };
  const client = (type: "pat" | "oat") => createClient({ accessToken: mock.issueToken({ type }), fetch });

  it("returns fields that its contract does not declare unchanged", async () => {
    expect(await client("oat").webhooks.getEndpoint(endpoint.id)).toEqual(sent);
    expect(await client("oat").events.ingest([])).toEqual(sent);
    expect(await client("oat").oauth2.authorize()).toEqual(sent);
    expect(await client("pat").oauth2.authorize()).toEqual(sent);
    expect(await client("oat").products.list()).toEqual(sent);
    expect(JSON.stringify(sent)).toContain("from_the_future");
  });
});
