import { describe, expect, it, vi } from "vitest";
import type { MockOptions } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { CURRENT, NEXT } from "../support/versions.ts";

const event = { name: "api.call", external_customer_id: "acme", metadata: { pages: 3 } };

it("records request and response", async () => {
  const { mock, client } = await openAdapter({ now: "2025-02-03T04:05:06Z" });
  const accessToken = mock.issueToken({ type: "pat" });
  await client(NEXT, { accessToken }).events.ingest([event]);
  expect(mock.requests.to("events:ingest")).toEqual([
    {
      id: 1,
      at: "2025-02-03T04:05:06.000000Z",
      method: "POST",
      path: "/v1/events/ingest",
      query: "",
      operation: "events:ingest",
      versionAsked: NEXT,
      versionUsed: NEXT,
      credential: "pat",
      headers: expect.objectContaining({ "content-type": "application/json", "service-version": NEXT }),
      status: 200,
      duration: expect.any(Number),
      body: { events: [event] },
      responseBody: { inserted: 1, duplicates: 0 },
      responseHeaders: { "content-type": "application/json", "service-version": NEXT },
      fault: null,
      ignored: [],
    },
  ]);
});

it("records the headers that the mock sends, without credentials, and none for a suppressed response", async () => {
  const { mock, send } = await openAdapter();
  mock.fault({ status: 503, retryAfter: 2, headers: { "Set-Cookie": "session=1", "X-Trace": "7" }, times: 1 });
  await send("GET /v1/products/");
  const sent = mock.requests.last()?.responseHeaders;
  expect(sent).toEqual({ "retry-after": "2", "service-version": expect.any(String), "x-trace": "7" });
  mock.fault({ kind: "reset" });
  await send("GET /v1/products/").catch(() => {});
  expect(mock.requests.last()?.responseHeaders).toEqual({});
});

it("records requests without an operation, a version or JSON", async () => {
  const { mock, send } = await openAdapter();
  await send("GET /nowhere?a=1", { version: "1999-01", token: null });
  await send("POST /nowhere?a=1", { version: null, token: null, body: "not JSON" });
  expect(mock.requests.list()).toMatchObject([
    {
      versionAsked: "1999-01",
      versionUsed: null,
      operation: null,
      credential: null,
      status: 404,
      path: "/nowhere",
      query: "a=1",
    },
    { versionAsked: null, versionUsed: CURRENT, method: "POST", status: 404, body: "not JSON" },
  ]);
});

it("decodes the query of a request as the operations do, and keeps no secret of it", async () => {
  const { mock, send } = await openAdapter();
  await send("GET /v1/products/?%70age=x&%zz=%zz&s%65cret%zz=a&url=http%3A%2F%2Fme:a@b.example&API_key=c&token");
  const { query, responseBody } = mock.requests.last() ?? {};
  expect(query).toBe("%70age=x&%zz=%zz&s%65cret%zz=[redacted]&url=[redacted]&API_key=[redacted]&token");
  expect(responseBody).toMatchObject({ detail: [{ loc: ["query", "page"], input: "x" }] });
});

it("finds requests by a filter", async () => {
  const { mock, send } = await openAdapter();
  const lines = ["GET /v1/products/", "GET /v1/webhooks/endpoints/nonsense", "GET /v1/products/?page=2"];
  for (const line of lines) await send(line, { version: NEXT });
  expect(mock.requests.list({ status: 422 })).toHaveLength(1);
  expect(mock.requests.list({ operation: "products:list", method: "get", version: NEXT })).toHaveLength(2);
  expect(mock.requests.list({ path: "/v1/products/", status: 404 })).toEqual([]);
  expect(mock.requests.list({ path: "/v1" })).toEqual([]);
  expect(mock.requests.last({ operation: "products:list" })?.query).toBe("page=2");
  expect(mock.requests.last({ status: 500 })).toBeUndefined();
  await send("GET /v1/products/", { version: "1999-01" });
  expect(mock.requests.list({ version: "1999-01" })).toEqual([]);
});

it("shows an empty body as null, and a very deep one as text", async () => {
  const { mock, send } = await openAdapter();
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  for (const body of ["", nested(200), nested(201)]) await send("POST /v1/events/ingest", { body });
  expect(mock.requests.list().map(({ body }) => body)).toEqual([null, JSON.parse(nested(200)), nested(201)]);
});

it("keeps the newest thousand requests and counts all of them, until it is cleared", async () => {
  const { mock, send } = await openAdapter();
  for (let i = 0; i < 1002; i++) await send("GET /v1/products/");
  expect(mock.requests.count).toBe(1002);
  expect(mock.requests.list().map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, index) => 3 + index));
  mock.requests.clear();
  expect([mock.requests.count, mock.requests.list()]).toEqual([0, []]);
  await send("GET /v1/products/");
  expect(mock.requests.list()).toMatchObject([{ id: 1003 }]);
  mock.reset();
  expect(mock.requests.count).toBe(0);
});

it.each([{ skip: 1, delay: 1 }, { status: 503 }, { kind: "timeout" }] as const)(
  "records a request without a body at once, so that reset removes it; fault: %j",
  async (fault) => {
    const { mock } = await openAdapter({ assumptions: { cors: "*" } });
    mock.fault(fault);
    mock.fetch(`${mock.baseUrls[0]}/v1/products/`).catch(() => {});
    expect(mock.requests.count).toBe(1);
    mock.reset();
  },
);

it.each([
  ["bodies", { body: JSON.stringify("x".repeat(1_000_000)) }],
  ["headers", { headers: { "x-long": "x".repeat(1_000_000) } }],
])("keeps fewer requests if their %s are large, and as many after clear", async (_, sent) => {
  const { mock, send } = await openAdapter();
  for (const _ of ["before", "after"]) {
    for (let i = 0; i < 40; i++) await send("POST /v1/products/", sent);
    expect([mock.requests.count, mock.requests.list().length]).toEqual([40, 33]);
    mock.requests.clear();
  }
});

const CREDENTIALS = ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "ApiKey", "X-CSRF-Token"];
const MORE = ["X-Access-Token", "X-Client-Secret", "X-Password", "X-Passwd", "X-Credential", "Webhook-Signature"];
it("the headers of a request are recorded in lower case, whatever the response, except credentials", async () => {
  const { mock, send } = await openAdapter();
  const hidden = Object.fromEntries([...CREDENTIALS, ...MORE].map((name) => [name, "hush-hush"]));
  const plain = { token: null, version: null };
  await send("GET /v1/products/", { ...plain, headers: { ...hidden, "X-Plain": "seen" } });
  await send("GET /nowhere", { token: null, version: "1999-01", headers: { "X-Try": "1" } });
  mock.fault({ status: 503 });
  await send("GET /v1/products/", { ...plain, headers: { ["__proto__"]: "own" } });
  const [first, second, third] = mock.requests.list().map(({ headers }) => headers);
  expect([first, second]).toEqual([{ "x-plain": "seen" }, { "service-version": "1999-01", "x-try": "1" }]);
  expect(Object.entries(third ?? {})).toEqual([["__proto__", "own"]]);
  expect(JSON.stringify(mock.requests.list())).not.toContain("hush-hush");
});

it("does not contain the secret of a webhook endpoint, in any form of a body", async () => {
  const { mock, client, send } = await openAdapter();
  const endpoint = mock.webhookEndpoints.create({ name: 'a "secret": "name"' });
  const read = await client().webhooks.getEndpoint(endpoint.id);
  expect(read.secret).toBe(endpoint.secret);
  await send("POST /v1/webhooks/endpoints", { body: `{"secret" : ${JSON.stringify(endpoint.secret)}` });
  const [shown, other] = mock.requests.list();
  expect(shown?.responseBody).toEqual({ ...read, secret: "[redacted]" });
  expect(other?.body).toBe('{"secret" : "[redacted]"');
  expect(JSON.stringify(mock.requests.list())).not.toContain(endpoint.secret.slice(0, 12));
});

it.each([
  ['{"\\u0073ecret":"hush-hush"}', { secret: "[redacted]" }],
  ['{"secret":null}', { secret: null }],
  [
    '{"a":"wh\\u0073ec_aGk","b":"https://me:a\\u0026b@d.example"}',
    { a: "[redacted]", b: "https://[redacted]@d.example" },
  ],
  ["secret=whsec_aGk&page=1", "secret=[redacted]&page=1"],
  ['{"url":"https://me:a@b:c@d.example/@x"}', { url: "https://[redacted]@d.example/@x" }],
  ['{"a":"HTTP:\\/\\/me@d.example, not a@b or https://c"}', { a: "HTTP://[redacted]@d.example, not a@b or https://c" }],
])("shows no secret of the body %s", async (body, shown) => {
  const { mock, send } = await openAdapter();
  await send("POST /v1/webhooks/endpoints", { body });
  expect(mock.requests.last()?.body).toEqual(shown);
});

describe("the ignored fields of a request", () => {
  const ignoredIn = async (events: unknown, options: MockOptions = {}) => {
    const { mock, ingest } = await openAdapter(options);
    const { status } = await ingest(events);
    return { status, ignored: mock.requests.last()?.ignored };
  };

  it("are listed once each, without the place in a list, and without the contents of metadata", async () => {
    const events = [event, { ...event, external_Id: "1" }, { ...event, external_Id: "2", "a.b": { c: 1 } }];
    const ignored = ["body.events[].external_Id", "body.events[].a.b"];
    expect(await ignoredIn(events)).toEqual({ status: 200, ignored });
  });

  it("are those of the query, too", async () => {
    const { mock, send } = await openAdapter();
    await send("POST /v1/events/ingest?dryrun=1", { json: { events: [event] } });
    await send("GET /v1/products/?limit=2&pages=2");
    await send("GET /v1/products/?limit=2");
    expect(mock.requests.list().map(({ ignored }) => ignored)).toEqual([["query.dryrun"], ["query.pages"], []]);
  });

  it("are not listed when the request is rejected, because nothing was ignored", async () => {
    const unknown = { ...event, external_Id: "1" };
    const rejected = { status: 422, ignored: [] };
    expect(await ignoredIn([unknown, { name: 1 }])).toEqual(rejected);
    expect(await ignoredIn([unknown], { assumptions: { unknownFields: "reject" } })).toEqual(rejected);
  });

  it("are at most 20", async () => {
    const unknown = Array.from({ length: 30 }, (_, index) => [`field${index}`, 1]);
    const { ignored = [] } = await ignoredIn([{ ...event, ...Object.fromEntries(unknown) }]);
    expect(ignored).toHaveLength(20);
  });

  it.each([
    ["a function", (warn: (message: string) => void) => ({ warn })],
    ["console.warn", () => ({ warn: undefined })],
  ])("are warned about once each, with the field that was meant, by %s", async (_, options) => {
    const printed = vi.spyOn(console, "warn").mockReturnValue();
    const warned = vi.fn((message: string) => console.warn(`mock: ${message}`));
    const { ingest } = await openAdapter(options(warned));
    for (const _ of [1, 2]) await ingest([{ ...event, extrnal_id: "1", colour: "red" }]);
    expect(printed.mock.calls.flat()).toEqual([
      "mock: events:ingest ignored the unknown field body.events[].extrnal_id; did you mean external_id?",
      "mock: events:ingest ignored the unknown field body.events[].colour",
    ]);
  });

  it("are not warned about if the option says so", async () => {
    const printed = vi.spyOn(console, "warn");
    const { ingest } = await openAdapter({ warn: false });
    await ingest([{ ...event, extrnal_id: "1" }]);
    expect(printed).not.toHaveBeenCalled();
  });
});
