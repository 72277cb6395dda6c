import { expect, it } from "vitest";
import type { ConformanceReport } from "../../conformance/report.ts";
import type { ConformanceOptions } from "../../conformance/settings.ts";
import { strict } from "../../mock/index.ts";
import { CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";
import { answers, type Deviation, deviating, type Exchange, requests, respond } from "./deviating.ts";
import { type ObservedMock, observe, observedMock } from "./observed-mock.ts";

const LOOKUP = "GET /v1/oauth2/authorize";
const PRODUCTS = "GET /v1/products/";
const ENDPOINT = /^(GET|POST|PATCH) \/v1\/webhooks\/endpoints/;

type Options = Partial<ConformanceOptions>;

/** A correct service that is unlike the mock, and what its user tells the run. */
type Unusual = (service: ObservedMock) => Options;

const changed =
  (deviation: Deviation): Unusual =>
  ({ mock }) => ({ fetch: deviating(mock, deviation) });

const withTokens =
  (count: number): Unusual =>
  ({ options }) => ({ tokens: options.tokens.slice(0, count) });

const tokenOf =
  (...kinds: readonly string[]): Unusual =>
  ({ options }) => ({ tokens: options.tokens.slice(0, 3).filter(({ kind }) => kinds.includes(kind)) });

const limited =
  (...scopes: ("openid" | "events:write" | "webhooks:read" | "webhooks:write" | "products:read")[]): Unusual =>
  ({ mock }) => ({ tokens: [{ kind: "oat", token: mock.issueToken({ scopes }) }] });

/** Makes the mock release, so that the package's versions are older. */
const released =
  (times: number): Unusual =>
  ({ mock }) => {
    for (let i = 0; i < times; i++) mock.release();
    return {};
  };

/** Answers some requests as a gateway does, without the service or after it. */
const gateway =
  (status: number, every: number, isAfter = false): Unusual =>
  ({ mock }) => {
    let count = 0;
    return {
      fetch: async (...request) => {
        if (++count % every !== 0) return mock.fetch(...request);
        if (isAfter) await mock.fetch(...request);
        return new Response("<h1>Unavailable</h1>", { status, headers: { "content-type": "text/html" } });
      },
    };
  };

const absent = (...lines: string[]) =>
  changed(requests(new RegExp(`^(${lines.join("|")})$`), () => respond(404, { error: "NotFound" })));
const body = (change: (body: Exchange["body"]) => unknown, line: string | RegExp = ENDPOINT) =>
  changed(answers(line, (answer) => change(answer.body)));

const isUrl = ({ body: { url } }: Exchange) => url !== undefined;

/** Every service does what the specification says. */
const SERVICES: Readonly<Record<string, Unusual>> = {
  "after one release": released(1),
  "after two releases": released(2),
  "behind a prefix": ({ mock, options }) => ({
    baseUrl: `${options.baseUrl}/billing/api`,
    fetch: (input, init) => mock.fetch(String(input).replace("/billing/api", ""), init),
  }),
  "503 for every fourth request": gateway(503, 4),
  "502 for every third request": gateway(502, 3),
  "500 for every fourth request": gateway(500, 4),
  "504 for every fourth response": gateway(504, 4, true),
  "503 for every fifth response": gateway(503, 5, true),
  "only an oat": tokenOf("oat"),
  "only a pat": tokenOf("pat"),
  "only an oidc token": tokenOf("oidc"),
  "an oat and a pat": tokenOf("oat", "pat"),
  "no token of another organization": withTokens(6),
  "a token without scopes": limited(),
  "a token with openid": limited("openid"),
  "a token with events:write": limited("events:write"),
  "a token with webhooks:read": limited("webhooks:read"),
  "a token with webhooks:write": limited("webhooks:write"),
  "a token with products:read": limited("products:read"),
  "a rejected token beside a valid one": ({ options }) => ({
    tokens: [{ kind: "pat", token: "expired" }, ...options.tokens.slice(0, 1)],
  }),
  "one version only": ({ mock }) => ({
    fetch: deviating(
      mock,
      requests(
        /./,
        () => respond(404),
        ({ headers }) => (headers.get("service-version") ?? CURRENT) !== CURRENT,
      ),
    ),
  }),
  "only reading": () => ({ allowWrites: false }),
  "authorize closed": absent(LOOKUP),
  "authorize for other credentials": changed(requests(LOOKUP, () => respond(401, { error: "login_required" }))),
  "authorize redirects to a login page": changed(
    requests(LOOKUP, () => new Response(null, { status: 302, headers: { location: "https://login.example/" } })),
  ),
  "authorize needs a query": changed(
    answers(
      LOOKUP,
      (answer) => Object.assign(answer, { status: 422, body: { detail: [] } }),
      ({ status, search }) => status === 200 && !search.includes("client_id="),
    ),
  ),
  "authorize and products closed": absent(LOOKUP, PRODUCTS),
  "without discovery": absent("GET /.well-known/openid-configuration"),
  "discovery that lists other scopes": body(
    (document) => (document.scopes_supported = ["openid", "email"]),
    /openid-configuration/,
  ),
  "endpoints that cannot be created": changed(requests(/^(POST|PATCH) \/v1\/webhooks/, () => respond(404))),
  "URLs without a trailing slash": body((endpoint) => (endpoint.url &&= endpoint.url.replace(/\/$/, ""))),
  "URLs with a trailing slash": body((endpoint) => (endpoint.url &&= `${endpoint.url.replace(/\/$/, "")}/`)),
  "URLs in another case": changed(
    answers(ENDPOINT, ({ body: endpoint }) => (endpoint.url = endpoint.url.replace("https", "HTTPS")), isUrl),
  ),
  "202 for an ingest": changed(
    answers(
      /ingest$/,
      (answer) => Object.assign(answer, { status: 202 }),
      ({ status }) => status === 200,
    ),
  ),
  "more fields in every response": body((content) => Object.assign(content, { request_id: "1", meta: {} }), /./),
  "+json as the content type": changed(
    answers(/./, ({ headers }) => headers.set("content-type", "application/problem+json; charset=utf-8")),
  ),
  "another 401": changed(
    answers(
      /./,
      (answer) => Object.assign(answer, { body: { message: "no" } }),
      ({ status }) => status === 401,
    ),
  ),
  "other problems in a 422": changed(
    answers(
      /./,
      ({ body: content }) => {
        for (const problem of content.detail ?? []) Object.assign(problem, { type: "invalid", loc: ["body"] });
      },
      ({ status }) => status === 422,
    ),
  ),
  "a redirect for a missing slash": changed(
    requests(/products$/, () => new Response(null, { status: 307, headers: { location: "/v1/products/" } })),
  ),
  "events validated before the token": changed(
    requests(
      /ingest$/,
      ({ headers, mock }) => headers.set("authorization", `Bearer ${mock.issueToken()}`),
      ({ body: sent }) => JSON.stringify(sent.events) === "[{}]",
    ),
  ),
  "a WAF in front of unknown paths": changed(requests(/conformance$/, () => new Response("blocked", { status: 403 }))),
  "each event is delivered twice": ({ options: { receiver } }) => ({
    receiver: receiver && {
      url: receiver.url,
      receive: (target, handler) =>
        receiver.receive(target, async (request) => {
          await handler(request.clone());
          return handler(request);
        }),
    },
  }),
  "careful with inputs": () => ({}),
};

const ASSUMPTIONS: Readonly<Record<string, object>> = {
  "careful with inputs": strict,
};

const failing = ({ rules }: ConformanceReport) => rules.filter(({ outcome }) => outcome === "fails");

/** Everything but the searches for limits, which take most of the time. */
const only = [..."ENV WHE GET ING ERR EVT AU PRD SEC VER LIF WHT DEL G-4 G-E G-UUID".split(" ")].map(
  (prefix) => `${prefix}*`,
);

it.each(Object.entries(SERVICES))("a correct service is not accused: %s", async (name, unusual) => {
  const service = observedMock(ASSUMPTIONS[name] ?? {});
  const report = await observe(service, { only, ...unusual(service) });
  expect(failing(report)).toEqual([]);
  expect(report.problem).toBeUndefined();
  expect(report.rules.filter(({ outcome }) => outcome === "holds").length).toBeGreaterThan(0);
});

/** What the run is told that no service accepts, and the sentence about it. */
const PROBLEMS: Readonly<Record<string, Unusual>> = {
  "a token of the kind oat is rejected: 401": () => ({ tokens: [{ kind: "oat", token: "nope" }] }),
  'a token of the kind oat is rejected: 401 "invalid_token"': ({ mock }) => ({
    tokens: [{ kind: "oat", token: mock.issueToken({ expiresIn: -1 }) }],
  }),
  "needs a token": () => ({ tokens: [] }),
  "is; use a newer package": released(4),
  [`none of the versions is served: ${NEXT} is; use --version`]: (service) => ({
    ...released(1)(service),
    versions: [DEPRECATED],
  }),
  "is the base URL right? It does not contain /v1": changed(requests(/./, () => new Response(null, { status: 404 }))),
  "every request is redirected, the first to https://billing.example": changed(
    requests(/./, () => new Response(null, { status: 301, headers: { location: "https://billing.example/" } })),
  ),
  "every response is 200 text/html, not JSON: this is not the service": changed(
    requests(/./, () => new Response("<html>", { headers: { "content-type": "text/html" } })),
  ),
  "no response: ECONNREFUSED": () => ({
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })),
  }),
};

it.each(Object.entries(PROBLEMS))("one sentence instead of broken rules: %s", async (problem, unusual) => {
  const service = observedMock();
  const report = await observe(service, { only, ...unusual(service) });
  expect(report.problem).toContain(problem);
  expect(report.rules.filter(({ outcome }) => outcome !== "not-observable")).toEqual([]);
  expect(report.leftEnabled).toEqual([]);
});
