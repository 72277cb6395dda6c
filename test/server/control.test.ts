import { expect, onTestFinished, test } from "vitest";
import { defaultAssumptions, type MockServer, type ServerOptions, startServer } from "../../mock/server.ts";
import { nextRequest } from "../support/next-request.ts";

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

interface Served {
  readonly server: MockServer;
  /** Calls the control API: `control("POST /tokens", { type: "pat" })`. */
  control(line: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

async function served(options: ServerOptions = {}): Promise<Served> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return {
    server,
    control: async (line, body, headers = {}) => {
      const [method = "GET", path = ""] = line.split(" ");
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      const init = text === undefined ? { method, headers } : { method, headers, body: text };
      const response = await fetch(`${server.url}/__mock${path}`, init);
      const answer = await response.text();
      return { status: response.status, headers: response.headers, body: answer ? JSON.parse(answer) : undefined };
    },
  };
}

test("tokens are issued and revoked", async () => {
  const { server, control } = await served();
  const { status, body } = await control("POST /tokens", { type: "pat", scopes: ["products:read"] });
  expect(status).toBe(201);
  const { token } = body as { readonly token: string };
  expect(token).toMatch(/^billing_pat_/);
  const list = () => fetch(`${server.url}/v1/products/`, { headers: { authorization: `Bearer ${token}` } });
  expect((await list()).status).toBe(200);
  expect((await control("POST /tokens/revoke", { token })).status).toBe(204);
  expect((await list()).status).toBe(401);
});

test("records are created, read, updated and deleted", async () => {
  const { server, control } = await served();
  const { status, body } = await control("POST /customers", { name: "Ann" });
  expect(status).toBe(201);
  const { id } = body as { readonly id: string };
  expect(server.mock.customers.get(id)).toMatchObject({ name: "Ann" });
  expect((await control(`GET /customers/${id}`)).body).toMatchObject({ name: "Ann" });
  expect((await control(`PATCH /customers/${id}`, { name: "Bea" })).body).toMatchObject({ name: "Bea" });
  expect((await control("GET /customers")).body).toHaveLength(1);
  expect((await control("GET /counts")).body).toMatchObject({ customers: 1, events: 0 });
  expect((await control(`DELETE /customers/${id}`)).status).toBe(204);
  expect(await control(`DELETE /customers/${id}`)).toMatchObject({
    status: 404,
    body: { error: "NotFound", detail: `Unknown id "${id}".` },
  });
});

test("a release changes which versions are supported", async () => {
  const { control } = await served();
  expect((await control("GET /versions")).body).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
  expect((await control("POST /release")).body).toEqual({ deprecated: "2025-01", current: "2025-04", next: "2025-07" });
});

test("snapshots are stored by id and restored", async () => {
  const { server, control } = await served();
  const { id } = (await control("POST /snapshots")).body as { readonly id: string };
  server.mock.customers.create();
  expect((await control(`POST /snapshots/${id}/restore`)).status).toBe(204);
  expect(server.mock.customers.size).toBe(0);
  expect((await control("GET /snapshots")).body).toEqual([id]);
  expect((await control(`DELETE /snapshots/${id}`)).status).toBe(204);
  expect(await control(`POST /snapshots/${id}/restore`)).toMatchObject({ status: 404, body: { error: "NotFound" } });
});

test("only the newest thousand snapshots are stored", async () => {
  const { control } = await served();
  for (let i = 0; i < 1001; i++) await control("POST /snapshots");
  const ids = (await control("GET /snapshots")).body as readonly string[];
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, "snapshot-2", "snapshot-1001"]);
});

test("faults are added, take effect and are removed", async () => {
  const { server, control } = await served();
  const { id } = (await control("POST /faults", { status: 503, retryAfter: 7 })).body as { readonly id: string };
  const response = await fetch(`${server.url}/v1/products/`);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("7");
  expect((await control("GET /faults")).body).toMatchObject([{ id, struck: 1 }]);
  expect((await control(`DELETE /faults/${id}`)).status).toBe(204);
  expect((await control(`DELETE /faults/${id}`)).status).toBe(404);
  expect((await control("DELETE /faults")).status).toBe(204);
});

test("the journal is filtered and does not contain control requests", async () => {
  const { server, control } = await served();
  await fetch(`${server.url}/v1/products/`);
  await fetch(`${server.url}/v1/nothing`);
  expect((await control("GET /requests/count")).body).toBe(2);
  expect((await control("GET /requests?status=404")).body).toMatchObject([{ path: "/v1/nothing" }]);
  expect((await control("GET /requests?after=1")).body).toMatchObject([{ id: 2 }]);
  expect((await control("GET /requests/last?operation=products:list")).body).toMatchObject({ status: 401 });
  expect((await control("GET /requests/last?status=200")).status).toBe(404);
  expect((await control("DELETE /requests")).status).toBe(204);
  expect((await control("GET /requests")).body).toEqual([]);
});

test("webhooks are emitted, listed and redelivered", async () => {
  const { server, control } = await served();
  server.mock.webhookEndpoints.create({ url: "https://receiver.example/hooks" });
  server.mock.webhooks.receive("https://receiver.example/hooks", () => new Response("thanks"));
  const emitted = await control("POST /webhooks/emit", { type: "order.paid", data: { id: "1" } });
  expect(emitted).toMatchObject({ status: 201, body: [{ type: "order.paid" }] });
  const [{ id }] = emitted.body as [{ readonly id: string }];
  expect((await control("POST /webhooks/idle")).status).toBe(204);
  expect((await control(`GET /webhooks/events/${id}`)).body).toMatchObject({ status: "succeeded" });
  expect((await control(`POST /webhooks/events/${id}/redeliver`)).status).toBe(204);
  await control("POST /webhooks/idle");
  expect((await control("GET /webhooks/deliveries")).body).toMatchObject([
    { attempt: 1, response_body: "thanks" },
    { attempt: 2, status: "succeeded" },
  ]);
});

test("a receiver gets deliveries until it is stopped", async () => {
  const { server, control } = await served();
  const url = "https://receiver.example/hooks";
  const add = (to: unknown) => control("POST /webhooks/receivers", { url, to });
  for (const to of ["http://localhost:1/", "http://10.0.0.7/", "https://127.0.0.1.example/", "nowhere", undefined]) {
    expect(await add(to)).toMatchObject({ status: 400, body: { detail: expect.stringContaining("127.0.0.1") } });
  }
  const { id } = (await add(`http://127.0.0.1:${server.port}/v1/hooks`)).body as { readonly id: string };
  const { events } = server.mock.webhookEndpoints.create({ url });
  const outcome = async () => {
    server.mock.webhooks.emit(events[0] as string, {});
    await server.mock.webhooks.idle();
    return server.mock.webhooks.deliveries.list().at(-1);
  };
  expect(await outcome()).toMatchObject({ response_status: 404, error: null });
  expect((await control(`DELETE /webhooks/receivers/${id}`)).status).toBe(204);
  expect((await control(`DELETE /webhooks/receivers/${id}`)).status).toBe(404);
  expect(await outcome()).toMatchObject({ response_status: null, error: expect.stringContaining("Nothing was sent") });
});

test("reset restores the initial state", async () => {
  const { server, control } = await served();
  server.mock.customers.create();
  const { status, headers } = await control("POST /reset");
  expect([status, headers.get("content-length")]).toEqual([204, null]);
  expect(server.mock.customers.size).toBe(0);
});

test("changes since a revision are returned immediately, or when they happen", async () => {
  const { server, control } = await served();
  const { revision } = (await control("GET /changes")).body as { readonly revision: string };
  expect((await control(`GET /changes?since=${revision}`)).body).toEqual({ revision });
  const arrived = nextRequest(`/__mock/changes?since=${revision}&wait`);
  const later = control(`GET /changes?since=${revision}&wait=30000`);
  await arrived;
  server.mock.customers.create();
  expect((await later).body).toEqual({ revision: expect.not.stringMatching(revision) });
});

test.each(["abc", "-1", "1.5", ""])("changes reject %j as the time to wait", async (wait) => {
  const { control } = await served();
  const { status, body } = await control(`GET /changes?wait=${wait}`);
  expect([status, body]).toMatchObject([400, { detail: `wait must be a number of milliseconds, not "${wait}".` }]);
});

test("close ends requests that wait for a change", async () => {
  const { server, control } = await served();
  const { revision } = (await control("GET /changes")).body as { readonly revision: string };
  const arrived = nextRequest(`/__mock/changes?since=${revision}`);
  const waiting = control(`GET /changes?since=${revision}&wait=30000`);
  await arrived;
  await server.close({ grace: 600_000 });
  expect((await waiting).body).toEqual({ revision });
});

test("assumptions are returned as createMock takes them", async () => {
  const { control } = await served();
  expect((await control("GET /assumptions")).body).toEqual(defaultAssumptions);
});

test("the root lists every route", async () => {
  const { control } = await served();
  const { routes } = (await control("GET /")).body as { readonly routes: readonly object[] };
  expect(routes).toContainEqual({ method: "POST", path: "/__mock/reset", summary: expect.any(String) });
});

test.each([
  ["POST /tokens", "{", 400, "InvalidJson", "The body is not valid JSON"],
  ["POST /tokens", "[]", 400, "InvalidInput", "The body must be a JSON object."],
  ["POST /tokens", '{"type":"xyz"}', 400, "InvalidInput", 'must be "oidc", "pat" or "oat"; received "xyz"'],
  ["POST /tokens", '{"scopes":["x"]}', 400, "InvalidInput", 'unknown scope "x"'],
  ["POST /tokens", '{"scope":["x"]}', 400, "InvalidInput", "issueToken: unknown option"],
  ["POST /customers", '{"externalId":"x"}', 400, "InvalidInput", "customer: unknown field"],
  ["POST /webhooks/emit", '{"type":"order.paid","data":1,"org":"x"}', 400, "InvalidInput", "webhooks.emit: options:"],
  ["GET /requests?operation=x", undefined, 400, "InvalidInput", 'requests: unknown operation "x"'],
  ["GET /requests?status=all", undefined, 400, "InvalidInput", "requests: `status` must be an integer; received "],
  ["POST /faults", "{}", 400, "InvalidInput", "set `status`, `kind` or `delay`"],
  ["PATCH /customers/x", "{}", 400, "InvalidInput", 'Unknown customer "x"'],
  ["GET /requests?colour=red", undefined, 400, "InvalidInput", 'Unknown query parameter "colour"'],
  ["GET /nothing", undefined, 404, "NotFound", "Unknown path /__mock/nothing."],
  ["PATCH /tokens", "{}", 405, "MethodNotAllowed", "/__mock/tokens allows only POST."],
])("%s with %s gets %i", async (line, body, status, error, detail) => {
  const { control } = await served();
  const answer = await control(line, body);
  expect(answer).toMatchObject({ status, body: { error, detail: expect.stringContaining(detail) } });
});

test("405 lists the allowed methods", async () => {
  const { control } = await served();
  expect((await control("PATCH /requests", "{}")).headers.get("allow")).toBe("GET, DELETE");
});

test("an empty body has no fields, and a trailing slash is ignored", async () => {
  const { control } = await served();
  expect(await control("POST /tokens/", " \n")).toMatchObject({ status: 201, body: { token: expect.any(String) } });
});

test("a body may be larger than the service allows", async () => {
  const { server, control } = await served();
  const name = "x".repeat(1_000_000);
  const { body } = await control("POST /customers", { name });
  expect(server.mock.customers.get((body as { readonly id: string }).id)).toMatchObject({ name });
});

test("control requests and responses have no version", async () => {
  const { control } = await served();
  const { status, headers } = await control("GET /versions", undefined, { "service-version": "1999-01" });
  expect(status).toBe(200);
  expect(headers.get("service-version")).toBeNull();
});

test("the service responds at /__mock when the control API is disabled", async () => {
  const { control } = await served({ control: false });
  const { status, headers } = await control("GET /versions");
  expect(status).toBe(404);
  expect(headers.get("service-version")).toBe("2025-01");
});

test("a path that only starts with /__mock belongs to the service", async () => {
  const { server } = await served();
  const response = await fetch(`${server.url}/__mocking`);
  expect(response.headers.get("service-version")).toBe("2025-01");
});
