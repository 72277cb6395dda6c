import { expect, it, onTestFinished, vi } from "vitest";
import { createClient } from "#current";
import { createMock, type Middleware } from "../../mock/index.ts";
import { createMock as createNodeMock } from "../../mock/node.ts";
import { startServer } from "../../mock/server.ts";

const PATH = "/v1/products/";

/** Answers every request, if a test sets it. */
let answer: (() => Response) | undefined;

/** Another 401 body, a field renamed in one answer, and a redirect for a missing slash. */
const middleware: Middleware = async (request, next) => {
  if (answer) return answer();
  if (new URL(request.url).pathname === "/v1/products") return Response.redirect(new URL(PATH, request.url), 307);
  const response = await next();
  if (response.status === 401) return Response.json({ error: "login_required" }, { status: 401 });
  if (!request.url.endsWith(PATH)) return response;
  const { items, ...rest } = await response.json();
  return Response.json({ ...rest, products: items }, response);
};

const adapters = {
  "in process": () => {
    const mock = createMock({ middleware });
    return { mock, send: mock.fetch, base: mock.baseUrls[0] };
  },
  "through MSW": () => {
    const mock = createNodeMock({ middleware });
    mock.listen();
    onTestFinished(() => mock.close());
    return { mock, send: fetch, base: mock.baseUrls[0] };
  },
  "on a server": async () => {
    const { mock, url, close } = await startServer({ middleware });
    onTestFinished(() => close());
    return { mock, send: fetch, base: url };
  },
};

it.each(Object.entries(adapters))("answers, and changes what the mock answers, %s", async (_, open) => {
  const { mock, send, base } = await open();
  const headers = { authorization: `Bearer ${mock.issueToken()}` };
  const rejected = await send(base + PATH);
  expect([rejected.status, await rejected.json()]).toEqual([401, { error: "login_required" }]);
  const listed = await send(`${base}/v1/products`, { headers });
  expect([listed.status, await listed.json()]).toMatchObject([200, { products: [], pagination: { total_count: 0 } }]);
  expect(mock.requests.list().map(({ status }) => status)).toEqual([401, 200]);
});

it.each(Object.entries(adapters))("answers with bytes and several cookies %s", async (name, open) => {
  const bytes = new Uint8Array([0xff, 0x00, 0x80]);
  answer = () => {
    const response = new Response(bytes);
    for (const cookie of ["a=1", "b=2"]) response.headers.append("set-cookie", cookie);
    return response;
  };
  onTestFinished(() => {
    answer = undefined;
  });
  const { send, base } = await open();
  const response = await send(base + PATH);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  if (name !== "through MSW") expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
});

it("receives no body that is larger than maxBodyBytes", async () => {
  const middleware = vi.fn<Middleware>((_, next) => next());
  const { mock, url, close } = await startServer({ middleware, assumptions: { maxBodyBytes: 10 } });
  onTestFinished(() => close());
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  const chunks = () => new Blob(["{}         "]).stream();
  for (const body of ["{}         ", chunks()]) {
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    expect((await fetch(`${url}/v1/events/ingest`, init)).status).toBe(413);
  }
  expect(middleware).not.toHaveBeenCalled();
});

it("changes what the mock receives, and sees its state and its clock", async () => {
  const mock = createMock({
    now: "2025-02-03T00:00:00Z",
    middleware: (request, next, { events, clock }) => {
      if (events.size > 0) return new Response(clock.now().toISOString(), { status: 503 });
      const headers = new Headers(request.headers);
      headers.delete("x-secret");
      return next(new Request(request, { headers }));
    },
  });
  const send = (body: string) =>
    mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, {
      method: "POST",
      headers: { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json", "x-secret": "a" },
      body,
    });
  const body = JSON.stringify({ events: [{ name: "call", external_customer_id: "acme" }] });
  expect((await send(body)).status).toBe(200);
  expect(mock.requests.last()?.headers).not.toHaveProperty("x-secret");
  const response = await send(body);
  expect([response.status, await response.text()]).toEqual([503, "2025-02-03T00:00:00.000Z"]);
});

it("lets faults break the connection, and becomes a 500 if it fails", async () => {
  const mock = createMock({ middleware: (_, next) => next() });
  const client = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch, maxRetries: 0 });
  mock.fault({ kind: "reset", times: 1 });
  expect((await client.products.list().safe()).error?.name).toBe("NetworkError");
  const report = vi.spyOn(console, "error").mockReturnValue();
  const failing = createMock({ middleware: () => "no response" as never });
  const response = await failing.fetch(`${failing.baseUrls[0]}${PATH}`);
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: "MockFailure", detail: expect.stringContaining("The middleware must return a Response") },
  ]);
  expect(report).toHaveBeenCalledOnce();
  expect(() => createMock({ middleware: 5 as never })).toThrow("`middleware` must be a function; received 5.");
});
