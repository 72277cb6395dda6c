import { expect, test } from "vitest";
import { createMock } from "../../mock/index.ts";
import { authorized, EVENT, started } from "../support/started-server.ts";
import { CURRENT } from "../support/versions.ts";

const ORIGIN = "http://localhost:5173";
const PREFLIGHT = {
  method: "OPTIONS",
  headers: {
    origin: ORIGIN,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type,service-version",
  },
};

/** Returns the CORS headers of a response. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));
}

test.each([
  [[], {}],
  [["https://app.example"], { vary: "Origin" }],
])("G-CORS: with %j a page of another origin gets no CORS headers, and a 405 for a preflight", async (cors, found) => {
  const server = await started({ assumptions: { cors } });
  const answer = await fetch(`${server.url}/v1/products/`, { headers: authorized(server, { origin: ORIGIN }) });
  const preflight = await fetch(`${server.url}/v1/events/ingest`, PREFLIGHT);
  expect([answer.status, corsOf(answer), preflight.status, corsOf(preflight)]).toEqual([200, found, 405, found]);
  const control = await fetch(`${server.url}/__mock/reset`, PREFLIGHT);
  expect([control.status, corsOf(control)]).toEqual([403, {}]);
});

test.each([
  ["*", "*", undefined],
  [[ORIGIN, "https://app.example"], ORIGIN, "Origin"],
] as const)("VER-5, G-CORS: with %j a preflight request is answered 204", async (cors, origin, vary) => {
  const server = await started({ assumptions: { cors } });
  const preflight = await fetch(`${server.url}/v1/events/ingest`, PREFLIGHT);
  expect([preflight.status, await preflight.text()]).toEqual([204, ""]);
  expect(preflight.headers.get("service-version"), "VER-5").toBe(CURRENT);
  expect(corsOf(preflight)).toEqual({
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization,content-type,service-version",
    "access-control-expose-headers": "Service-Version, Retry-After, WWW-Authenticate",
    "access-control-max-age": "600",
    ...(vary && { vary }),
  });
  expect(server.mock.requests.list()).toEqual([]);
});

test.each([
  ["Origin", { "access-control-request-method": "POST" }],
  ["Access-Control-Request-Method", { origin: ORIGIN }],
])("G-CORS: an OPTIONS request without %s is not a preflight request", async (_, headers) => {
  const server = await started({ assumptions: { cors: "*" } });
  const { status } = await fetch(`${server.url}/v1/events/ingest`, { method: "OPTIONS", headers });
  expect(status).toBe(405);
  expect(server.mock.requests.list()).toMatchObject([{ method: "OPTIONS", status: 405 }]);
});

test("G-CORS: every response can be read, including errors and failures", async () => {
  const server = await started({ assumptions: { cors: "*" } });
  const headers = authorized(server, { origin: ORIGIN });
  const post = () => fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers, body: EVENT });
  const answers = [await post(), await fetch(`${server.url}/v1/nothing`), await fetch(`${server.url}/v1/products/`)];
  server.mock.fault({ status: 503 });
  answers.push(await post());
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 503]);
  for (const answer of answers) {
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("Service-Version");
  }
});

test("G-CORS: what no browser sends as an origin is rejected", () => {
  const mockFor = (origin: string) => createMock({ assumptions: { cors: [origin] } });
  for (const origin of ["localhost", "http://localhost?x", "http://Localhost", "http://localhost:80", "http://["]) {
    expect(() => mockFor(origin), origin).toThrow('assumptions: `cors` must be "*" or an array of origins');
  }
  for (const origin of ["http://localhost", "https://[::1]:8443", "capacitor://localhost"]) {
    expect(mockFor(origin).assumptions.cors).toEqual([origin]);
  }
});
