import { expect, it } from "vitest";
import type { ConformanceReport } from "../../conformance/report.ts";
import { AFTER_NEXT, CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";
import { answers, type Deviation, deviating, type Exchange, rejects, requests, respond } from "./deviating.ts";
import { observe, observedMock, received } from "./observed-mock.ts";

const ENDPOINT = /^GET \/v1\/webhooks\/endpoints\/[\da-f-]{36}$/;
const ENDPOINTS = /^(GET|POST|PATCH) \/v1\/webhooks\/endpoints/;
const CREATE = "POST /v1/webhooks/endpoints";
const UPDATE = /^PATCH/;
const LOOKUP = "GET /v1/oauth2/authorize";
const PRODUCTS = "GET /v1/products/";
const INGEST = "POST /v1/events/ingest";

const asFull = ({ headers, mock }: Exchange) => headers.set("authorization", `Bearer ${mock.issueToken()}`);
const hasToken = (kind: string) => (sent: Exchange) => sent.headers.get("authorization")?.includes(kind);
const isUnknown = ({ body }: Exchange) => body.error === "ResourceNotFound";
const isCreated = ({ status }: Exchange) => status === 201;
const isInvalid = ({ status }: Exchange) => status === 422;
const hasEvents =
  (size: number) =>
  (_: Exchange, { body }: Exchange) =>
    body.events?.length === size;
const versionOf = ({ headers }: Exchange) => headers.get("service-version");
const asVersion =
  (version: string) =>
  ({ headers }: Exchange) =>
    headers.set("service-version", version);
const noVersion = ({ body }: Exchange) => delete body.api_version;
const sends =
  (events: string) =>
  ({ body }: Exchange) =>
    JSON.stringify(body.events) === events;
const set = (fields: object) => (exchange: Exchange) => Object.assign(exchange.body, fields);

/** Changes the status of responses, and their body if there is one. */
const replies = (line: string | RegExp, given: object, when: (answer: Exchange) => unknown) =>
  answers(line, (answer) => Object.assign(answer, given), when);

/** Replaces fields of the responses that have them. */
const replaces = (line: string | RegExp, fields: object) =>
  answers(line, ({ body }) => {
    for (const [name, value] of Object.entries(fields)) if (name in body) body[name] = value;
  });

let secrets = 0;

/** Returns a secret that begins otherwise than the last one. */
function nextSecret(): string {
  secrets += 1;
  return `${secrets % 10}${crypto.randomUUID()}`;
}

/** Services with one habit, by the rules that it breaks: none if the specification does not say otherwise. */
const HABITS: Readonly<Record<string, Deviation>> = {
  "ENV-3: another content type": answers(LOOKUP, ({ headers }) => headers.set("content-type", "text/plain")),
  "GET-2: another error": answers(/./, set({ error: "NotFound" }), isUnknown),
  "GET-2: 403 for an unknown id": replies(/./, { status: 403, body: { error: "Forbidden" } }, isUnknown),
  "GET-3: 400 instead of 422": replies(/^GET/, { status: 400 }, isInvalid),
  "GET-4: a scope that is ignored": requests(ENDPOINT, asFull, hasToken("billing_")),
  "ERR-1: no detail": answers(/./, ({ body }) => delete body.detail, isUnknown),
  "ERR-2: a loc that is a string": answers(/^GET/, ({ body }) => (body.detail[0].loc = "path.id"), isInvalid),
  "ERR-3: a version that is ignored": requests(PRODUCTS, ({ headers }) => headers.delete("service-version")),
  "ERR-4, VER-8: 200 for an unsupported version": requests(
    UPDATE,
    noVersion,
    ({ body }) => body.api_version === "1999-01",
  ),
  "VER-8, LIF-1: a fourth version": requests(/./, asVersion(NEXT), (sent) => versionOf(sent) === AFTER_NEXT),
  "VER-3: another version than the chosen one": answers(
    LOOKUP,
    asVersion(DEPRECATED),
    (_, sent) => versionOf(sent) === CURRENT,
  ),
  "VER-4: Next by default": requests(/./, asVersion(NEXT), (sent) => versionOf(sent) === null),
  "VER-5: no Service-Version in a 422": answers(/./, ({ headers }) => headers.delete("service-version"), isInvalid),
  "VER-6: an endpoint that follows the version of an update": requests(
    UPDATE,
    ({ headers, body }) => (body.api_version ??= headers.get("service-version")),
    ({ headers }) => headers.get("service-version") !== CURRENT,
  ),
  "VER-7: api_version is the newest": requests(CREATE, ({ body }) => (body.api_version ??= NEXT)),
  "VER-8: a supported version that is rejected": rejects(UPDATE, 422, ({ body }) => body.api_version === CURRENT),
  "VER-9: an update of the version without effect": requests(
    UPDATE,
    noVersion,
    ({ body }) => body.api_version !== "1999-01",
  ),
  "WHE-1, WHE-3: a created endpoint in data": answers(
    CREATE,
    (answer) => Object.assign(answer, { body: { data: answer.body } }),
    isCreated,
  ),
  "WHE-2: modified_at of a new endpoint": answers(
    CREATE,
    set({ modified_at: "2025-01-01T00:00:00.000000Z" }),
    isCreated,
  ),
  "WHE-3: a field that is missing when read": answers(ENDPOINT, ({ body }) => delete body.enabled),
  "WHE-4: another format": requests(UPDATE, set({ format: "raw" }), ({ body }) => body.format === "xml"),
  "WHE-5: a secret without a prefix": answers(CREATE, ({ body }) => (body.secret = nextSecret()), isCreated),
  "WHE-6: a read-only field that can be set": requests(
    UPDATE,
    ({ line, body: { uses_standard_webhook_signature }, mock }) => {
      const secret = `whsec_${"a".repeat(43)}`;
      mock.webhookEndpoints.update(line.split("/").at(-1) as string, { uses_standard_webhook_signature, secret });
    },
    ({ body }) => "uses_standard_webhook_signature" in body,
  ),
  "WHE-7: a version 1 UUID": replaces(ENDPOINTS, { organization_id: "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21" }),
  "WHE-8: a time without fraction": replaces(ENDPOINTS, { created_at: "2025-01-01T00:00:00Z" }),
  "WHE-9: another format than the one that was sent": answers(
    CREATE,
    set({ format: "slack" }),
    (answer, sent) => sent.body.name === undefined && isCreated(answer),
  ),
  "WHT-1: an event type that is rejected": rejects(UPDATE, 422, ({ body }) => body.events?.length > 1),
  "ING-1: a count that is a string": answers(INGEST, set({ duplicates: "0" }), hasEvents(1)),
  "ING-2: half a batch stored": answers(
    INGEST,
    set({ inserted: 1, duplicates: 1 }),
    ({ body }, { body: { events } }) => events?.length === 2 && body.inserted === 2,
  ),
  "ING-3: a scope that is ignored": requests(
    INGEST,
    asFull,
    (sent) => hasToken("_oat_")(sent) && hasEvents(1)(sent, sent),
  ),
  "ING-4: an oidc credential that is accepted": requests(INGEST, asFull, hasToken("oidc")),
  "ING-5: a name that is a number": requests(
    INGEST,
    () => respond(200, { inserted: 1, duplicates: 0 }),
    sends('[{"name":1}]'),
  ),
  "G-ING-SUM: counts that do not add up": answers(INGEST, ({ body }) => (body.duplicates += 1), hasEvents(3)),
  "G-ING-ATOMIC: half of an invalid batch stored": requests(
    INGEST,
    ({ headers, body, mock }) => {
      const valid = JSON.stringify({ events: body.events.slice(0, 1) });
      return mock
        .fetch(`${mock.baseUrls[1]}/v1/events/ingest`, { method: "POST", headers, body: valid })
        .then(() => {});
    },
    ({ body }) => body.events?.length === 2 && Object.keys(body.events[1]).length === 0,
  ),
  "AUT-1: a user without email": answers(LOOKUP, ({ body }) => delete body.sub?.email),
  "AUT-2: a client without client_uri": answers(LOOKUP, ({ body }) => delete body.client?.client_uri),
  "AUT-3: an unknown scope": answers(LOOKUP, ({ body }) => body.scopes?.push("everything")),
  "AUT-4: a string instead of a boolean": replaces(LOOKUP, { requires_single_organization: "yes" }),
  "SEC-1: an operation without a credential": requests(PRODUCTS, asFull, (sent) => !hasToken("")(sent)),
  "none: 204 for an update": replies(UPDATE, { status: 204, body: undefined }, ({ status }) => status === 200),
};

/** The rules, and the assumptions that no setting changes: without the searches for limits, which take most of the time. */
const RULES = "ENV WHE GET ERR EVT ING AU PRD SEC VER LIF WHT G-ING- G-4 G-SLASH G-UUID-FORM";
const only = RULES.split(" ").map((prefix) => `${prefix}*`);

const failing = ({ rules }: ConformanceReport) =>
  rules.flatMap(({ id, outcome }) => (outcome === "fails" || outcome === "differs" ? id : []));
const idsOf = (name: string) => name.replace(/(none)?:.*/, "").match(/[^, ]+/g) ?? [];

it.each(Object.entries(HABITS))("breaks no other rule than %s", async (name, deviation) => {
  const observed = observedMock();
  const given = { fetch: deviating(observed.mock, deviation), receiver: undefined, versions: [CURRENT], only };
  expect(failing(await observe(observed, given))).toEqual(idsOf(name));
});

/** Deliveries that each break one rule. */
const DELIVERIES: Readonly<Record<string, (headers: Headers, body: string, attempt: number) => string | undefined>> = {
  "DEL-3: no webhook-api-version": (headers) => void headers.delete("webhook-api-version"),
  "DEL-7: another signature": (headers) => void headers.set("webhook-signature", "v1,AAAA"),
  "DEL-6: a retry with another version": (headers, _, attempt) =>
    void (attempt > 1 && headers.set("webhook-api-version", DEPRECATED)),
  "G-RETRY: a retry with another webhook-id": (headers, _, attempt) =>
    void (attempt > 1 && headers.set("webhook-id", `evt_${attempt}`)),
  "G-RETRY: a retry with another body": (_, body, attempt) => body.replace(/}$/, `,"customer":"customer ${attempt}"}`),
};

const deliveries = { versions: [CURRENT], only: ["DEL-*", "G-ENVELOPE", "G-RETRY"] };

it.each(Object.entries(DELIVERIES))("breaks no other rule than %s", async (name, change) => {
  const observed = observedMock();
  const signs = name.includes("another body") ? { only: ["DEL-6", "G-RETRY"] } : {};
  const report = await observe(observed, { ...deliveries, ...signs, receiver: received(observed, change) });
  expect(failing(report)).toEqual(idsOf(name));
  // The body of a delivery is the customer's data.
  expect(JSON.stringify(report)).not.toContain("customer 1");
});

it("breaks no other rule than DEL-1: a type that the endpoint does not list", async () => {
  const { mock, ...observed } = observedMock();
  const trigger = (_: string, organization: string) => mock.webhooks.emit("checkout.created", {}, { organization });
  const report = await observe({ mock, ...observed }, { ...deliveries, only: ["DEL-*"], trigger });
  expect(failing(report)).toEqual(["DEL-1"]);
});
