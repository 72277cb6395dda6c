import { expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { createClient } from "../../versions/2025-04/index.ts";

function setUp() {
  const mock = createMock({ seed: 1 });
  const url = `${mock.baseUrls[0]}/v1/products/`;
  return { mock, url, accessToken: mock.issueToken() };
}

it("records the headers of a request by their lower-case names", async () => {
  const { mock, accessToken } = setUp();
  await createClient({ accessToken, fetch: mock.fetch, headers: { "X-Request-Id": "call-7" } }).products.list();
  expect(mock.requests.last()?.headers).toMatchObject({
    "x-request-id": "call-7",
    "service-version": "2025-04",
    accept: "application/json",
  });
});

it("records the headers of a request without an operation", async () => {
  const { mock } = setUp();
  await mock.fetch(`${mock.baseUrls[0]}/nowhere`, { headers: { "Service-Version": "1999-01", "X-Try": "1" } });
  expect(mock.requests.last()?.headers).toEqual({ "service-version": "1999-01", "x-try": "1" });
});

it("records the headers of a request that a fault failed", async () => {
  const { mock, url } = setUp();
  mock.fault({ status: 503 });
  await mock.fetch(url, { headers: { "Idempotency-Key": "a" } });
  expect(mock.requests.last()?.headers).toEqual({ "idempotency-key": "a" });
});

it.each([
  "Authorization",
  "Proxy-Authorization",
  "Cookie",
  "X-Api-Key",
  "ApiKey",
  "X-Access-Token",
  "X-CSRF-Token",
  "X-Client-Secret",
  "X-Password",
  "X-Passwd",
  "X-Credential",
  "Webhook-Signature",
])("does not record %s, which carries a credential", async (name) => {
  const { mock, url } = setUp();
  await mock.fetch(url, { headers: { [name]: "hush-hush", "X-Plain": "seen" } });
  expect(mock.requests.last()?.headers).toEqual({ "x-plain": "seen" });
  expect(JSON.stringify(mock.requests.list())).not.toContain("hush-hush");
});

it("keeps up to 16,384 characters of headers per request", async () => {
  const { mock, url } = setUp();
  await mock.fetch(url, { headers: { a: "x".repeat(16_000), b: "y".repeat(1000), c: "z" } });
  expect(Object.keys(mock.requests.last()?.headers ?? {})).toEqual(["a", "c"]);
});

it("records headers as they were sent, even if the request changes later", async () => {
  const { mock, url } = setUp();
  const request = new Request(url, { headers: { "X-Try": "1" } });
  await mock.fetch(request);
  request.headers.set("X-Try", "2");
  const headers = mock.requests.last()?.headers as Record<string, string>;
  expect(() => Object.assign(headers, { "x-try": "3" })).toThrow(TypeError);
  expect(mock.requests.last()?.headers).toEqual({ "x-try": "1" });
});

it("records the headers of each request, also if they nearly equal those of the request before", async () => {
  const { mock, url } = setUp();
  const sent = [
    { a: "1", b: "2" },
    { a: "1", b: "2" },
    { a: "1" },
    { a: "1", b: "2" },
    { a: "1", b: "3" },
    { a: "1", c: "3" },
  ];
  for (const headers of sent) await mock.fetch(url, { headers: headers as Record<string, string> });
  expect(mock.requests.list().map(({ headers }) => headers)).toEqual(sent);
});

it("records headers of any name, including __proto__", async () => {
  const { mock, url } = setUp();
  await mock.fetch(url, { headers: [["__proto__", "own"]] });
  expect(Object.entries(mock.requests.last()?.headers ?? {})).toEqual([["__proto__", "own"]]);
});
