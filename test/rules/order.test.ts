import { expect, it } from "vitest";
import type { AssumptionChoices } from "../../mock/index.ts";
import { openAdapter, type Received, type Sent } from "../support/adapter.ts";
import { NOBODY, usage } from "../support/samples.ts";

const SMALL = { maxBodyBytes: 10 };
const SLOW = { rateLimit: { requests: 0, windowSeconds: 60 } };
const INGEST = "POST /v1/events/ingest";
const BROKEN_ID = "/v1/webhooks/endpoints/nonsense";
const LARGE: Sent = { json: { events: [usage()] } };
const WRONG: Sent = { json: { enabled: "yes" } };

/** The status, and the part that distinguishes responses of the same status. */
function summary({ status, body }: Received): string {
  const { error, detail } = (body ?? {}) as { error?: string; detail?: { loc: string[] }[] };
  const more = Array.isArray(detail) ? detail[0]?.loc[0] : error;
  return more === undefined ? `${status}` : `${status} ${more}`;
}

// Each request is one that two adjacent checks reject.
it.each<[checks: string, answer: string, line: string, sent: Sent, assumptions?: AssumptionChoices]>([
  ["version before size", "404", INGEST, { ...LARGE, version: "2020-01" }, SMALL],
  ["size before rate", "413 RequestBodyTooLarge", INGEST, LARGE, { ...SMALL, ...SLOW }],
  ["size before token", "413 RequestBodyTooLarge", INGEST, { ...LARGE, token: "unknown" }, SMALL],
  ["rate before token", "429", "GET /v1/products/", { token: "unknown" }, SLOW],
  ["token before route", "401 invalid_token", "GET /v1/nowhere", { token: "unknown" }],
  ["route before credential", "405", "DELETE /v1/products/", { token: null }],
  ["credential before scope", "401 invalid_token", INGEST, { ...LARGE, token: "oidc" }],
  ["scope before parameters", "403 insufficient_scope", `GET ${BROKEN_ID}`, { token: "oat" }],
  ["parameters before body", "422 path", `PATCH ${BROKEN_ID}`, WRONG],
  ["body before the endpoint", "422 body", `PATCH /v1/webhooks/endpoints/${NOBODY}`, WRONG],
])("G-ORDER: the order of the checks is %s", async (_, expected, line, sent, assumptions = {}) => {
  const { mock, send } = await openAdapter({ assumptions });
  const { token } = sent;
  const powerless = token === "oat" || token === "oidc" ? { token: mock.issueToken({ type: token, scopes: [] }) } : {};
  expect(summary(await send(line, { ...sent, ...powerless }))).toBe(expected);
});
