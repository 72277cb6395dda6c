import { expect, it } from "vitest";
import type { ConformanceReport } from "../../conformance/index.ts";
import { type Deviation, deviating } from "./deviating.ts";
import { observe, observedMock } from "./observed-mock.ts";

const ENDPOINTS = /^(GET|POST|PATCH) \/v1\/webhooks\/endpoints/;
const CREATE = "POST /v1/webhooks/endpoints";

const failing = ({ rules }: ConformanceReport) => rules.flatMap(({ id, outcome }) => (outcome === "fails" ? id : []));

/** Services with one habit, and the rules that it breaks: none if the specification does not say otherwise. */
const HABITS: readonly (readonly [what: string, ids: readonly string[], deviation: Deviation])[] = [
  [
    "wraps a created endpoint in data",
    ["WHE-1", "WHE-3"],
    {
      response: (answer) =>
        void (
          answer.line === CREATE &&
          answer.status === 201 &&
          Object.assign(answer, { body: { data: answer.body } })
        ),
    },
  ],
  [
    "validates events before it authorizes",
    [],
    {
      request: ({ headers, body, mock }) =>
        void (JSON.stringify(body?.events) === "[{}]" && headers.set("authorization", `Bearer ${mock.issueToken()}`)),
    },
  ],
  [
    "answers an update with 204",
    [],
    {
      response: (answer) =>
        void (
          answer.line.startsWith("PATCH") &&
          answer.status === 200 &&
          Object.assign(answer, { status: 204, body: undefined })
        ),
    },
  ],
  [
    "answers 403 for an unknown id",
    ["GET-2"],
    {
      response: (answer) =>
        void (
          answer.body?.error === "ResourceNotFound" &&
          Object.assign(answer, { status: 403, body: { error: "Forbidden" } })
        ),
    },
  ],
  [
    "stores a URL without its trailing slash",
    [],
    {
      response: ({ line, body }) =>
        void (ENDPOINTS.test(line) && body?.url && Object.assign(body, { url: body.url.replace(/\/$/, "") })),
    },
  ],
  [
    "names an endpoint that has no name with a number",
    ["WHE-9"],
    {
      response: ({ line, body }, sent) =>
        void (line === CREATE && sent.body?.name === undefined && body?.id && Object.assign(body, { name: 0 })),
    },
  ],
  [
    "changes the api_version of an endpoint to the version of an update",
    ["VER-6"],
    {
      request: ({ line, headers, body }) =>
        void (
          line.startsWith("PATCH") &&
          headers.get("service-version") !== "2025-01" &&
          Object.assign(body, { api_version: body.api_version ?? headers.get("service-version") })
        ),
    },
  ],
];

it.each(HABITS)("a service that %s fails %j alone", async (_what, ids, deviation) => {
  const observed = observedMock();
  const fetch = deviating(observed.mock, deviation);
  const only = ["WHE-*", "GET-*", "ERR-*", "ING-*", "SEC-*", "VER-*", "WHT-*", "G-4*", "G-CREATE", "G-UUID-FORM"];
  const report = await observe(observed, { fetch, receiver: undefined, versions: ["2025-01"], only });
  expect(failing(report)).toEqual(ids);
});

type Change = (headers: Headers, attempt: number, body: string) => string | undefined;

/** Deliveries that each break one rule. */
const DELIVERIES: readonly (readonly [id: string, what: string, change: Change])[] = [
  ["DEL-3", "no webhook-api-version", (headers) => void headers.delete("webhook-api-version")],
  ["DEL-7", "another signature", (headers) => void headers.set("webhook-signature", "v1,AAAA")],
  [
    "DEL-6",
    "a retry with another version",
    (headers, attempt) => void (attempt > 1 && headers.set("webhook-api-version", "2024-10")),
  ],
  [
    "G-RETRY",
    "a retry with another webhook-id",
    (headers, attempt) => void (attempt > 1 && headers.set("webhook-id", `evt_${attempt}`)),
  ],
  ["G-RETRY", "a retry with another body", (_headers, attempt, body) => (attempt > 1 ? `${body} ` : body)],
];

it.each(DELIVERIES)("%s alone fails for %s", async (id, _what, change) => {
  const observed = observedMock();
  const { receiver } = observed.options;
  const attempts = new Map<string, number>();
  const receive: NonNullable<typeof receiver>["receive"] = (handler) =>
    receiver?.receive(async (request) => {
      const headers = new Headers(request.headers);
      const event = String(headers.get("webhook-id"));
      const attempt = (attempts.get(event) ?? 0) + 1;
      attempts.set(event, attempt);
      const text = await request.text();
      const body = change(headers, attempt, text) ?? text;
      return handler(new Request(request.url, { method: "POST", headers, body }));
    }) as () => void;
  const report = await observe(observed, {
    receiver: { url: receiver?.url as string, receive },
    versions: ["2025-01"],
    only: ["DEL-*", "G-ENVELOPE", "G-RETRY", "G-SEQUENCE"],
  });
  expect(failing(report)).toEqual([id]);
});

it("DEL-1 alone fails for a type that the endpoint does not list", async () => {
  const observed = observedMock();
  const trigger = (_type: string, organization: string) =>
    observed.mock.webhooks.emit("checkout.created", null, { organization });
  const report = await observe(observed, { trigger, versions: ["2025-01"], only: ["DEL-*"] });
  expect(failing(report)).toEqual(["DEL-1"]);
});

it("G-SEQUENCE: fails if deliveries arrive in another order", async () => {
  const observed = observedMock();
  const waiting: string[] = [];
  const trigger = async (type: string, organization: string) => {
    waiting.unshift(type);
    if (waiting.length === 4)
      for (const each of waiting) observed.mock.webhooks.emit(each as never, {}, { organization });
  };
  const report = await observe(observed, { trigger, versions: ["2025-01"], only: ["G-SEQUENCE"] });
  expect(failing(report)).toEqual(["G-SEQUENCE"]);
});

it("a trigger that fails is named as the reason", async () => {
  const trigger = () => Promise.reject(new Error("the queue is closed"));
  const report = await observe(observedMock(), { trigger, versions: ["2025-01"], only: ["DEL-3"] });
  expect(report.rules).toMatchObject([
    { outcome: "not-observable", reason: "the trigger failed: the queue is closed" },
  ]);
});
