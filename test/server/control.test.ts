import { expect, test } from "vitest";
import { routes as controlRoutes } from "../../mock/control/routes.ts";
import { defaultAssumptions } from "../../mock/server.ts";
import { control, started } from "../support/started-server.ts";
import { CURRENT } from "../support/versions.ts";

const NOW = "2025-03-01T00:00:00.000000Z";
const LATER = "2025-03-01T00:20:00.000000Z";

// What the routes do is tested in connect.test.ts; this is what they look like over HTTP.
test.each([
  ["GET /assumptions", undefined, 200, defaultAssumptions],
  ["PUT /assumptions", { maxBatchSize: 9 }, 200, { ...defaultAssumptions, maxBatchSize: 9 }],
  ["POST /tokens", { type: "pat" }, 201, { token: expect.stringMatching(/^billing_pat_/) }],
  ["POST /tokens/", " \n", 201, { token: expect.stringMatching(/^billing_oat_/) }],
  ["POST /faults", { status: 503 }, 201, { id: "fault-1", hits: 0 }],
  ["POST /clock/advance", { minutes: 20 }, 200, { now: LATER }],
  ["POST /webhooks/emit", { type: "order.paid", data: {} }, 201, []],
])("%s with %j gets %i", async (line, body, status, expected) => {
  const answer = await control(await started({ now: NOW }), line, body);
  expect(answer).toMatchObject({ status, ...(expected !== undefined && { body: expected }) });
  expect(answer.headers.get("service-version")).toBeNull();
  expect(answer.headers.has("content-length")).toBe(status !== 204);
});

test.each([
  ["POST /tokens", "{", 400, "InvalidJson", "The body is not valid JSON: "],
  [
    "PUT /assumptions",
    '{"maxBatchSize":-1,"nullFelds":"accept","retry":{"jitter":2}}',
    400,
    "InvalidInput",
    "`maxBatchSize` must be a finite number of at least 0; received -1. " +
      'assumptions: unknown field "nullFelds". Did you mean "nullFields"? ' +
      "assumptions.retry: `jitter` must be a number from 0 to 1; received 2.",
  ],
  ["PUT /assumptions", " \n", 400, "InvalidInput", "The body is empty"],
  ["PATCH /customers/x", "{}", 400, "InvalidInput", 'Unknown customer "x"'],
  ["GET /fautls", undefined, 404, "NotFound", 'Unknown route "GET /fautls". Did you mean "GET /faults"?'],
  ["PATCH /requests", "{}", 404, "NotFound", 'Unknown route "PATCH /requests"'],
  ["DELETE /customers/x", undefined, 404, "UnknownId", 'Unknown id "x".'],
  ["GET /requests?status=all", undefined, 400, "InvalidInput", "requests: `status` must be an integer; received NaN"],
  ["GET /requests?colour=red", undefined, 400, "InvalidInput", 'Unknown query parameter "colour"'],
  ["GET /requests?newest=all", undefined, 400, "InvalidInput", '`newest` must be a number of requests; received "all"'],
])("%s with %s gets %i", async (line, body, status, error, detail) => {
  const answer = await control(await started(), line, body);
  expect(answer).toMatchObject({ status, body: { error, detail: expect.stringContaining(detail) } });
});

test("every example of a body is accepted", async () => {
  const server = await started();
  const { routes } = (await control(server, "GET ")).body;
  const examples = (routes as readonly Record<"method" | "path" | "example", string>[]).filter(
    ({ example }) => example,
  );
  expect(examples.length).toBeGreaterThan(15);
  for (const { method, path, example } of examples) {
    const below = path.replace("/__mock", "");
    const created = below.includes("{id}") ? (await control(server, `POST ${below.replace("/{id}", "")}`)).body : {};
    const line = `${method} ${below.replace("{id}", created.id ?? created.client_id)}`;
    const { status, body } = await control(server, line, example);
    // Nobody issued the token of this example.
    if (below === "/tokens/revoke") expect(body.detail).toContain("the token was not issued");
    else expect([line, status, body]).toEqual([line, status === 201 ? 201 : 200, body]);
  }
});

test("GET /tokens lists the valid tokens, oldest first", async () => {
  const server = await started({ now: NOW });
  const { mock } = server;
  const [pat, revoked, expiring] = [
    mock.issueToken({ type: "pat", scopes: ["events:write"] }),
    mock.issueToken(),
    mock.issueToken({ expiresIn: 60 }),
  ];
  mock.revokeToken(revoked);
  const tokens = async () => (await control(server, "GET /tokens")).body;
  expect((await tokens())[0]).toEqual({ token: pat, type: "pat", scopes: ["events:write"] });
  expect((await tokens()).map(({ token }: { token: string }) => token)).toEqual([pat, expiring]);
  await mock.clock.advance({ minutes: 1 });
  expect((await tokens()).map(({ token }: { token: string }) => token)).toEqual([pat]);
});

test("the service responds at /__mock when the control API is disabled, and always at paths that only start so", async () => {
  const [server, open] = [await started({ control: false }), await started()];
  for (const url of [`${server.url}/__mock/versions`, `${open.url}/__mocking`]) {
    const { status, headers } = await fetch(url);
    expect([status, headers.get("service-version")]).toEqual([404, CURRENT]);
  }
});

test("a body of more than 10 MiB gets 413, and changes nothing", async () => {
  const server = await started();
  const { status, body } = await control(server, "POST /customers", "{}".padEnd(10 * 1024 * 1024 + 1));
  expect([status, body.error, server.mock.customers.size]).toEqual([413, "BodyTooLarge", 0]);
});

test("a body that is not UTF-8 is rejected", async () => {
  const server = await started();
  const sent = { method: "POST", body: Buffer.from('{"name":"é"}', "latin1") };
  expect((await fetch(`${server.url}/__mock/products`, sent)).status).toBe(400);
});

test("GET /__mock lists every route, with its parameters and body; HEAD checks the server's health", async () => {
  const server = await started();
  expect((await fetch(`${server.url}/__mock`, { method: "HEAD" })).status).toBe(200);
  const { routes } = (await control(server, "GET ")).body;
  const listed = routes.map(({ method, path }: Readonly<Record<string, string>>) => `${method} ${path?.slice(7)}`);
  expect(listed).toEqual(Object.keys(controlRoutes));
  expect(routes[listed.indexOf("POST /faults")]).toMatchObject({
    summary: expect.any(String),
    body: expect.any(String),
  });
  const { query } = routes[listed.indexOf("GET /requests")];
  expect(Object.keys(query)).toEqual(["operation", "method", "path", "status", "version", "newest"]);
});
