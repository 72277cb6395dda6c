import { type Check, eachOf, rule } from "../check.ts";
import { OBJECT, optional, type Pattern, STRING, test } from "../pattern.ts";
import { NotObservable } from "../report.ts";
import { INGEST, LOOKUP, NOBODY, PRODUCTS, READ, UNKNOWN } from "../service.ts";

const place = test("a string or an integer", (value) => typeof value === "string" || Number.isInteger(value));
const VALIDATION_ERROR = { loc: [place], msg: STRING, type: STRING, ctx: optional(OBJECT) } satisfies Pattern;

const withEvent = (fields: object) => ({ events: [{ customer_id: NOBODY, name: "conformance", ...fields }] });

/** Batches with one problem, and the problem as `loc type` (G-422). */
const PROBLEMS: readonly (readonly [body: unknown, problem: string])[] = [
  [{}, "body.events missing"],
  [{ events: {} }, "body.events list_type"],
  [withEvent({ name: 1 }), "body.events.0.name string_type"],
  [withEvent({ customer_id: "1" }), "body.events.0.customer_id uuid_parsing"],
  [withEvent({ timestamp: "yesterday" }), "body.events.0.timestamp datetime_parsing"],
  [withEvent({ timestamp: "2024-10-01T00:00:00" }), "body.events.0.timestamp timezone_aware"],
];

/** Sections 1, 2.5 and 7: paths, content types and errors. */
export const errorChecks: readonly Check[] = [
  rule(
    "ENV-2",
    eachOf([LOOKUP, PRODUCTS], async (service, line) => void (await service.send(line)).requireSuccess()),
  ),
  rule(
    "ENV-3",
    eachOf([LOOKUP, PRODUCTS, UNKNOWN, `${READ}/1`], async (service, line) => {
      const response = await service.send(line);
      if (response.status >= 500) throw new NotObservable(response.summary);
      service.check(response, { headers: { "content-type": /^application\/([\w.-]+\+)?json\b/ } });
    }),
  ),
  rule("ERR-1", async (service) => {
    const response = await service.send(UNKNOWN);
    if (response.fields["error"] !== "ResourceNotFound") throw new NotObservable(`${response.summary} (GET-2)`);
    service.check(response, { body: { error: STRING, detail: STRING } });
  }),
  rule(
    "ERR-2",
    eachOf([`${READ}/1`, INGEST], async (service, line) => {
      const response = await service.send(line, line === INGEST ? { json: { events: [{}] } } : {});
      if (response.status !== 422) throw new NotObservable(`${response.summary} (GET-3, ING-5)`);
      service.check(response, { body: { detail: optional([VALIDATION_ERROR]) } });
    }),
    { writes: "events" },
  ),
  rule("G-404", async (service) => {
    await service.expect("GET /v1/conformance", {}, { status: 404, body: { detail: "Not Found" } });
    const notAllowed = { status: 405, headers: { allow: /\bGET\b/ }, body: { detail: "Method Not Allowed" } };
    const [line = ""] = (await service.anyRequest()).split("?");
    await service.expect(line.replace("GET", "DELETE"), {}, notAllowed);
  }),
  rule(
    "G-SLASH",
    eachOf([LOOKUP, PRODUCTS], async (service, line) => {
      const other = line.endsWith("/") ? line.slice(0, -1) : `${line}/`;
      await service.expect(other, { token: await service.tokenFor(line) }, { status: 404 });
    }),
  ),
  rule(
    "G-422",
    async (service) => {
      for (const [json, problem] of PROBLEMS) {
        const response = await service.send(INGEST, { json });
        if (response.problems.some(({ loc, type }) => `${loc.join(".")} ${type}` === problem)) continue;
        throw service.deviation(response.request, `422 ${problem}`, response.summary);
      }
    },
    { writes: "events" },
  ),
];
