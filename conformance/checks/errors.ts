import { type Check, rule } from "../check.ts";
import { INGEST, ingestToken, NOBODY } from "../fixtures.ts";
import { NotObservable } from "../outcome.ts";
import { CLIENT_ERROR, optional, type Pattern, test } from "../pattern.ts";
import { problemsOf, summaryOf } from "../service.ts";
import { LOOKUP, lookUp } from "./authorize.ts";

const READ = "GET /v1/webhooks/endpoints";

const place = test("a string or an integer", (value) => typeof value === "string" || Number.isInteger(value));
const anObject = test("an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value));
const found = test("a status other than 404", (status) => status !== 404);
const VALIDATION_ERROR = { loc: [place], msg: String, type: String, ctx: optional(anObject) } satisfies Pattern;

/** Batches with one problem, and the problem as `loc type` (G-422). */
const PROBLEMS: readonly (readonly [body: unknown, problem: string])[] = [
  [{}, "body.events missing"],
  [{ events: {} }, "body.events list_type"],
  [{ events: ["event"] }, "body.events.0 dict_type"],
  ...Object.entries({
    "name string_type": { name: 1 },
    "name missing": { name: undefined },
    "customer_id uuid_parsing": { customer_id: "1" },
    "timestamp datetime_parsing": { timestamp: "yesterday" },
    "timestamp timezone_aware": { timestamp: "2024-10-01T00:00:00" },
  }).map(([problem, fields]) => {
    const event = { customer_id: NOBODY, name: "conformance", ...fields };
    return [{ events: [event] }, `body.events.0.${problem}`] as const;
  }),
];

/** Sections 1, 2.5 and 7: paths, content types and errors. */
export const errorChecks: readonly Check[] = [
  rule("ENV-2", { requests: 3 }, async (service) => {
    await lookUp(service);
    await service.expect(LOOKUP, {}, { status: found });
    await service.expect("GET /v1/products/", {}, { status: found });
    await service.expect("GET /oauth2/authorize", {}, { status: CLIENT_ERROR });
  }),
  rule("ENV-3", { requests: 4 }, async (service) => {
    const headers = { "content-type": /^application\/json\b/ };
    const lines = [LOOKUP, "GET /v1/products/", `${READ}/${NOBODY}`, `${READ}/1`];
    for (const line of lines) await service.expect(line, {}, { headers });
  }),
  rule("ERR-1", { requests: 1 }, async (service) => {
    const answer = await service.send(`${READ}/${NOBODY}`);
    if ((answer.body as { error?: unknown } | undefined)?.error !== "ResourceNotFound")
      throw new NotObservable(`${summaryOf(answer)} (GET-2)`);
    service.check(answer, { body: { error: String, detail: String } });
  }),
  rule("ERR-2", { writes: "events", requests: 2 }, async (service) => {
    const json = { events: [{}] };
    for (const answer of [await service.send(`${READ}/1`), await service.send(INGEST, { json })]) {
      if (answer.status === 422) service.check(answer, { body: { detail: optional([VALIDATION_ERROR]) } });
      else throw new NotObservable(`${summaryOf(answer)} (GET-3, ING-5)`);
    }
  }),
  rule("G-404", { requests: 2 }, async (service) => {
    await service.expect("GET /v1/conformance", {}, { status: 404, body: { detail: "Not Found" } });
    const headers = { allow: /\bGET\b/ };
    const notAllowed = { status: 405, headers, body: { detail: "Method Not Allowed" } };
    await service.expect("DELETE /v1/oauth2/authorize", {}, notAllowed);
  }),
  rule("G-SLASH", { requests: 2 }, async (service) => {
    await lookUp(service);
    for (const line of ["GET /v1/products", "GET /v1/oauth2/authorize/"])
      await service.expect(line, {}, { status: 404 });
  }),
  rule("G-422", { writes: "events", requests: 8 }, async (service) => {
    const { token } = ingestToken(service);
    for (const [json, problem] of PROBLEMS) {
      const answer = await service.send(INGEST, { token, json });
      if (problemsOf(answer).some(({ loc, type }) => `${loc.join(".")} ${type}` === problem)) continue;
      throw service.deviation(answer.request, `422 ${problem}`, summaryOf(answer));
    }
  }),
];
