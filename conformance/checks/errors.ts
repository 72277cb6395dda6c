import { type Check, rule } from "../check.ts";
import { NotObservable } from "../outcome.ts";
import { CLIENT_ERROR, optional, type Pattern, STRING, test } from "../pattern.ts";
import { INGEST, LOOKUP, NOBODY, PRODUCTS, READ, UNKNOWN } from "../service.ts";
import { lookUp } from "./authorize.ts";

const place = test("a string or an integer", (value) => typeof value === "string" || Number.isInteger(value));
const anObject = test("an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value));
const found = test("a status other than 404", (status) => status !== 404);
const VALIDATION_ERROR = { loc: [place], msg: STRING, type: STRING, ctx: optional(anObject) } satisfies Pattern;

const withEvent = (fields: object) => ({ events: [{ customer_id: NOBODY, name: "conformance", ...fields }] });

/** Batches with one problem, and the problem as `loc type` (G-422). */
const PROBLEMS: readonly (readonly [body: unknown, problem: string])[] = [
  [{}, "body.events missing"],
  [{ events: {} }, "body.events list_type"],
  [{ events: ["event"] }, "body.events.0 dict_type"],
  [withEvent({ name: 1 }), "body.events.0.name string_type"],
  [withEvent({ name: undefined }), "body.events.0.name missing"],
  [withEvent({ customer_id: "1" }), "body.events.0.customer_id uuid_parsing"],
  [withEvent({ timestamp: "yesterday" }), "body.events.0.timestamp datetime_parsing"],
  [withEvent({ timestamp: "2024-10-01T00:00:00" }), "body.events.0.timestamp timezone_aware"],
];

/** Sections 1, 2.5 and 7: paths, content types and errors. */
export const errorChecks: readonly Check[] = [
  rule("ENV-2", {}, async (service) => {
    await lookUp(service);
    await service.expect(LOOKUP, {}, { status: found });
    await service.expect(PRODUCTS, {}, { status: found });
    await service.expect("GET /oauth2/authorize", {}, { status: CLIENT_ERROR });
  }),
  rule("ENV-3", {}, async (service) => {
    for (const line of [LOOKUP, PRODUCTS, UNKNOWN, `${READ}/1`])
      await service.expect(line, {}, { headers: { "content-type": /^application\/json\b/ } });
  }),
  rule("ERR-1", {}, async (service) => {
    const answer = await service.send(UNKNOWN);
    if (answer.fields["error"] !== "ResourceNotFound") throw new NotObservable(`${answer.summary} (GET-2)`);
    service.check(answer, { body: { error: STRING, detail: STRING } });
  }),
  rule("ERR-2", { writes: "events" }, async (service) => {
    for (const [line, sent] of [[`${READ}/1`], [INGEST, { json: { events: [{}] } }]] as const) {
      const answer = await service.send(line, sent);
      if (answer.status !== 422) throw new NotObservable(`${answer.summary} (GET-3, ING-5)`);
      service.check(answer, { body: { detail: optional([VALIDATION_ERROR]) } });
    }
  }),
  rule("G-404", {}, async (service) => {
    await service.expect("GET /v1/conformance", {}, { status: 404, body: { detail: "Not Found" } });
    const notAllowed = { status: 405, headers: { allow: /\bGET\b/ }, body: { detail: "Method Not Allowed" } };
    await service.expect("DELETE /v1/oauth2/authorize", {}, notAllowed);
  }),
  rule("G-SLASH", {}, async (service) => {
    await lookUp(service);
    for (const line of ["GET /v1/products", "GET /v1/oauth2/authorize/"])
      await service.expect(line, {}, { status: 404 });
  }),
  rule("G-422", { writes: "events", requests: PROBLEMS.length }, async (service) => {
    for (const [json, problem] of PROBLEMS) {
      const answer = await service.send(INGEST, { json });
      if (answer.problems.some(({ loc, type }) => `${loc.join(".")} ${type}` === problem)) continue;
      throw service.deviation(answer.request, `422 ${problem}`, answer.summary);
    }
  }),
];
