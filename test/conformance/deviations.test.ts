import { expect, it } from "vitest";
import { type Deviation, deviating, type Exchange } from "./deviating.ts";
import { observe, observedMock } from "./observed-mock.ts";

const ENDPOINT = /^GET \/v1\/webhooks\/endpoints\/[\da-f-]{36}$/;
const ENDPOINTS = /^(GET|POST|PATCH) \/v1\/webhooks\/endpoints/;
const LOOKUP = "GET /v1/oauth2/authorize";
const INGEST = "POST /v1/events/ingest";
const CREATE = "POST /v1/webhooks/endpoints";

const asFull = ({ headers, mock }: Exchange) => headers.set("authorization", `Bearer ${mock.issueToken()}`);
const isIssued = ({ headers }: Exchange) => headers.get("authorization")?.includes("billing_");
const isUnknown = ({ body }: Exchange) => body?.error === "ResourceNotFound";
const sizeOf = ({ line, body }: Exchange) => (line === INGEST ? (body?.events?.length ?? 0) : -1);

/** The rules, and the assumptions that no setting changes: without the searches for limits, which take most of the time. */
const RULES = [
  "ENV-*",
  "WHE-*",
  "GET-*",
  "ERR-*",
  "EVT-*",
  "ING-*",
  "AU*",
  "PRD-*",
  "SEC-*",
  "VER-*",
  "LIF-*",
  "WHT-*",
  "G-ING-SUM",
  "G-ING-ATOMIC",
  "G-4*",
  "G-SLASH",
  "G-CREATE",
  "G-AUT-LABELS",
  "G-UUID-FORM",
];

/** Services that each break one rule. */
const DEVIATIONS: readonly (readonly [id: string, what: string, deviation: Deviation])[] = [
  [
    "ENV-3",
    "another content type",
    { response: ({ line, headers }) => void (line === LOOKUP && headers.set("content-type", "text/plain")) },
  ],
  [
    "GET-2",
    "another error",
    { response: (answer) => void (isUnknown(answer) && Object.assign(answer.body, { error: "NotFound" })) },
  ],
  [
    "GET-3",
    "400 instead of 422",
    {
      response: (answer) =>
        void (answer.line.startsWith("GET") && answer.status === 422 && Object.assign(answer, { status: 400 })),
    },
  ],
  [
    "GET-4",
    "a scope that is ignored",
    { request: (sent) => void (ENDPOINT.test(sent.line) && isIssued(sent) && asFull(sent)) },
  ],
  ["ERR-1", "no detail", { response: (answer) => void (isUnknown(answer) && delete answer.body.detail) }],
  [
    "ERR-2",
    "a loc that is a string",
    {
      response: ({ line, status, body }) =>
        void (line.startsWith("GET") && status === 422 && Object.assign(body.detail[0], { loc: "path.id" })),
    },
  ],
  [
    "ERR-3",
    "a version that is ignored",
    { request: ({ line, headers }) => void (line === "GET /v1/products/" && headers.delete("service-version")) },
  ],
  [
    "ERR-4",
    "200 for an unsupported version",
    {
      request: ({ line, body }) =>
        void (line.startsWith("PATCH") && body.api_version === "1999-01" && delete body.api_version),
    },
  ],
  [
    "LIF-1",
    "a fourth version",
    {
      request: ({ headers }) =>
        void (headers.get("service-version") === "2025-07" && headers.set("service-version", "2025-04")),
    },
  ],
  [
    "VER-3",
    "a version that is not the chosen one",
    {
      response: ({ line, headers }, sent) =>
        void (
          line === LOOKUP &&
          sent.headers.get("service-version") === "2024-10" &&
          headers.set("service-version", "2025-01")
        ),
    },
  ],
  [
    "VER-4",
    "Next by default",
    { request: ({ headers }) => void (headers.has("service-version") || headers.set("service-version", "2025-04")) },
  ],
  [
    "VER-5",
    "no Service-Version in a 422",
    { response: ({ status, headers }) => void (status === 422 && headers.delete("service-version")) },
  ],
  [
    "VER-7",
    "api_version is the newest",
    {
      request: ({ line, body }) =>
        void (line === CREATE && Object.assign(body, { api_version: body.api_version ?? "2025-04" })),
    },
  ],
  [
    "VER-8",
    "a supported version that is rejected",
    {
      request: ({ line, body }) =>
        line.startsWith("PATCH") && body.api_version === "2024-10"
          ? Response.json({ detail: [] }, { status: 422, headers: { "Service-Version": "2025-01" } })
          : undefined,
    },
  ],
  [
    "VER-9",
    "an update of the version without effect",
    {
      request: ({ line, body }) =>
        void (line.startsWith("PATCH") && body.api_version !== "1999-01" && delete body.api_version),
    },
  ],
  [
    "WHE-2",
    "modified_at of a new endpoint",
    {
      response: ({ line, status, body }) =>
        void (line === CREATE && status === 201 && Object.assign(body, { modified_at: body.created_at })),
    },
  ],
  [
    "WHE-3",
    "a field that is missing when read",
    { response: ({ line, body }) => void (ENDPOINT.test(line) && delete body.enabled) },
  ],
  [
    "WHE-4",
    "another format",
    {
      request: ({ line, body }) =>
        void (line.startsWith("PATCH") && body.format === "xml" && Object.assign(body, { format: "raw" })),
    },
  ],
  [
    "WHE-5",
    "a secret without a prefix",
    {
      response: ({ line, status, body }) =>
        void (line === CREATE && status === 201 && Object.assign(body, { secret: crypto.randomUUID() })),
    },
  ],
  [
    "WHE-6",
    "a read-only field that can be set",
    {
      request: ({ line, body, mock }) =>
        void (
          line.startsWith("PATCH") &&
          "uses_standard_webhook_signature" in body &&
          mock.webhookEndpoints.update(line.split("/").at(-1) as string, {
            uses_standard_webhook_signature: body.uses_standard_webhook_signature,
            secret: `whsec_${"a".repeat(43)}`,
          })
        ),
    },
  ],
  [
    "WHE-7",
    "a version 1 UUID",
    {
      response: ({ line, body }) =>
        void (
          ENDPOINTS.test(line) &&
          body.organization_id &&
          Object.assign(body, { organization_id: "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21" })
        ),
    },
  ],
  [
    "WHE-8",
    "a time without fraction",
    {
      response: ({ line, body }) =>
        void (ENDPOINTS.test(line) && body.created_at && Object.assign(body, { created_at: "2025-01-01T00:00:00Z" })),
    },
  ],
  [
    "WHT-1",
    "an event type that is rejected",
    {
      request: ({ line, body }) =>
        line.startsWith("PATCH") && body.events?.length > 1
          ? Response.json({ detail: [] }, { status: 422, headers: { "Service-Version": "2025-01" } })
          : undefined,
    },
  ],
  [
    "ING-1",
    "a count that is a string",
    {
      response: ({ body }, sent) =>
        void (
          sizeOf(sent) === 1 &&
          body.duplicates !== undefined &&
          Object.assign(body, { duplicates: String(body.duplicates) })
        ),
    },
  ],
  [
    "ING-2",
    "half a batch stored",
    {
      response: ({ body }, sent) =>
        void (sizeOf(sent) === 2 && body.inserted === 2 && Object.assign(body, { inserted: 1, duplicates: 1 })),
    },
  ],
  [
    "ING-3",
    "a scope that is ignored",
    {
      request: (sent) =>
        void (sizeOf(sent) === 1 && /^.*_oat_/.test(sent.headers.get("authorization") ?? "") && asFull(sent)),
    },
  ],
  [
    "ING-4",
    "an oidc credential that is accepted",
    {
      request: (sent) =>
        void (sent.line === INGEST && sent.headers.get("authorization")?.includes("oidc") && asFull(sent)),
    },
  ],
  [
    "ING-5",
    "a name that is a number",
    {
      request: ({ line, body }) =>
        line === INGEST && JSON.stringify(body.events) === '[{"name":1}]'
          ? Response.json({ inserted: 1, duplicates: 0 }, { headers: { "Service-Version": "2025-01" } })
          : undefined,
    },
  ],
  [
    "G-ING-SUM",
    "counts that do not add up",
    {
      response: ({ body }, sent) =>
        void (sizeOf(sent) === 3 && Object.assign(body, { duplicates: body.duplicates + 1 })),
    },
  ],
  [
    "G-ING-ATOMIC",
    "half of an invalid batch stored",
    {
      request: async ({ line, headers, body, mock }) => {
        if (line === INGEST && body.events.length === 2 && Object.keys(body.events[1]).length === 0)
          await mock.fetch(`${mock.baseUrls[1]}/v1/events/ingest`, {
            method: "POST",
            headers,
            body: JSON.stringify({ events: [body.events[0]] }),
          });
      },
    },
  ],
  [
    "AUT-1",
    "a user without email",
    { response: ({ line, body }) => void (line === LOOKUP && body.sub_type === "user" && delete body.sub.email) },
  ],
  [
    "AUT-2",
    "a client without client_uri",
    { response: ({ line, body }) => void (line === LOOKUP && body.client && delete body.client.client_uri) },
  ],
  [
    "AUT-3",
    "an unknown scope",
    { response: ({ line, body }) => void (line === LOOKUP && body.scopes?.push("everything")) },
  ],
  [
    "AUT-4",
    "a string instead of a boolean",
    {
      response: ({ line, body }) =>
        void (line === LOOKUP && body.client && Object.assign(body, { requires_single_organization: "yes" })),
    },
  ],
  [
    "SEC-1",
    "an operation without a credential",
    {
      request: (sent) => void (sent.line === "GET /v1/products/" && !sent.headers.has("authorization") && asFull(sent)),
    },
  ],
  [
    "SEC-3",
    "a scope that is missing",
    { response: ({ line, body }) => void (line.includes("openid-configuration") && body.scopes_supported.pop()) },
  ],
];

it.each(DEVIATIONS)("%s alone fails for %s", async (id, _what, deviation) => {
  const observed = observedMock();
  const fetch = deviating(observed.mock, deviation);
  const report = await observe(observed, { fetch, receiver: undefined, only: RULES });
  expect(report.rules.flatMap((rule) => (rule.outcome === "fails" ? rule.id : []))).toEqual([id]);
});

it("no report contains the body of a delivery", async () => {
  const observed = observedMock();
  const { receiver } = observed.options;
  let number = 0;
  const receive: NonNullable<typeof receiver>["receive"] = (handler) =>
    receiver?.receive(async (request) =>
      handler(
        new Request(request.url, {
          method: "POST",
          headers: request.headers,
          body: (await request.text()).replace(/}$/, `,"customer":"customer ${number++}"}`),
        }),
      ),
    ) as () => void;
  const given = { receiver: { url: receiver?.url as string, receive }, versions: ["2025-01"] };
  const report = await observe(observed, { ...given, only: ["DEL-6", "G-RETRY"] });
  expect(report.rules).toMatchObject([
    { outcome: "holds" },
    { outcome: "fails", expected: "the same body as the first" },
  ]);
  expect(JSON.stringify(report)).not.toContain("customer 0");
});
