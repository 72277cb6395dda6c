import { isOrigin } from "../../src/values/urls.ts";
import { assumption, type Check, needing } from "../check.ts";
import type { Fields } from "../repair.ts";
import { NotObservable, type Observed } from "../report.ts";
import { Search } from "../search.ts";
import { INGEST, type Service } from "../service.ts";
import type { ServiceResponse } from "../service-response.ts";

/** The largest numbers that are tried. */
const [MOST_CHARACTERS, MOST_PAIRS, MOST_EVENTS] = [100_000, 1_000, 20_000];

/** The usual limits of a body in bytes, up to the default of the mock. */
const BODY_SIZES = [0.1, 0.25, 0.5, 1, 2, 4, 5, 8, 10].map((mebibytes) => Math.floor(mebibytes * 1024 * 1024));

/** Returns a key of a length: of characters that no key of another index begins with. */
const key = (index: number, length: number) =>
  String.fromCodePoint(0x4e00 + index)
    .padEnd(length, "x")
    .slice(0, length);

/** Returns whether a response accepts a field; undefined if the request was too large to tell. */
const about = (field: string) => (response: ServiceResponse) =>
  response.status === 413 ? undefined : response.isAccepted(field);

/** Searches for a limit of the service. */
type Searched = (service: Service) => Promise<Search>;

/** Describes the search for a number on which the value of an event's field depends, and the length of a metadata key. */
function searched(what: string, valueFor: (number: number, keyLength: number) => unknown, keys?: Searched): Searched {
  const [field = ""] = what.split(" ");
  return (service) =>
    service.once(what, async () => {
      const length = keys ? await (await keys(service)).any() : 0;
      const send = (number: number) => service.ingest({ [field]: valueFor(number, length) });
      return new Search({ send, judge: about(field) });
    });
}

const pairsOf = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index, length), 1]));

const nameLengths = searched("name lengths", (length) => "x".repeat(length));
const keyLengths = searched("metadata keys", (length) => ({ [key(0, length)]: 1 }));
const valueLengths = searched("metadata values", (length, own) => ({ [key(0, own)]: "x".repeat(length) }), keyLengths);
const pairs = searched("metadata pairs", pairsOf, keyLengths);

/** Finds the smallest number that is accepted. */
function smallest(id: string, name: string, search: Searched): Check {
  return assumption(id, name, 0, async (service) => {
    const value = await (await search(service)).smallest();
    return { value, evidence: value === 0 ? "empty is accepted" : `${value} accepted, ${value - 1} rejected` };
  });
}

/** Finds the largest number that is accepted: none if it is more than the largest that is tried, as by default. */
function largest(id: string, name: string, search: Searched, most = MOST_CHARACTERS): Check {
  return assumption(id, name, null, async (service) => {
    const [value, isMost] = await (await search(service)).largest(most);
    return isMost ? { value: null, evidence: `at least ${most}` } : limit(value);
  });
}

const limit = (value: number, isMost = false): Observed => ({
  value,
  evidence: isMost ? `at least ${value}, the most that was tried` : `${value} accepted, ${value + 1} rejected`,
});

/** Section 2.2: limits of the fields of an event. */
const fields: readonly Check[] = [
  smallest("G-EVT-REQ", "eventName.minLength", nameLengths),
  largest("G-EVT-REQ", "eventName.maxLength", nameLengths),
  smallest("G-EVT-META", "metadata.minKeyLength", keyLengths),
  largest("G-EVT-META", "metadata.maxKeyLength", keyLengths),
  smallest("G-EVT-META", "metadata.minValueLength", valueLengths),
  largest("G-EVT-META", "metadata.maxValueLength", valueLengths),
  largest("G-EVT-META", "metadata.maxPairs", pairs, MOST_PAIRS),
  assumption("G-EVT-META", "metadata.values", "any", async (service) => {
    const name = key(0, await (await keyLengths(service)).any());
    const response = await service.ingest({ metadata: { [name]: { nested: true } } });
    return response.verdict(["any", "scalars"], { what: "an object", fields: ["metadata"] });
  }),
];

/** Section 8: limits of requests. */
const requests: readonly Check[] = [
  assumption("G-PROTO", "unstorableText", "accept", async (service) => {
    const name = key(0, await (await keyLengths(service)).any());
    const text = "\0".padStart(await (await valueLengths(service)).any(), "x");
    const response = await service.ingest({ metadata: { [name]: text } });
    return response.verdict(["accept", "reject"], { what: "NUL", fields: ["metadata"] });
  }),
  assumption("G-EVT-MAX", "maxBatchSize", 10_000, async (service) => {
    if ((await service.ingest({}, {})).fields["inserted"] !== 0)
      throw new NotObservable("duplicates are stored (G-EVT-DUP), so this check would store thousands of events");
    const send = (size: number) => service.ingest(...Array<Fields>(size).fill({}));
    return limit(...(await new Search({ send, judge: about("events"), usual: [1] }).largest(MOST_EVENTS)));
  }),
  assumption("G-BODY-MAX", "maxBodyBytes", BODY_SIZES.at(-1) ?? 0, async (service) => {
    let accepted = 0;
    for (const size of BODY_SIZES) {
      const response = await service.send(INGEST, { body: '{"events":[{}]}'.padEnd(size) });
      // An invalid event is rejected, but not because of the size.
      const isTooLarge = response.status === 413;
      if (!isTooLarge && response.isAccepted()) throw new NotObservable("an invalid event is accepted (ING-5)");
      if (isTooLarge && accepted > 0) return { value: accepted, evidence: `${accepted} bytes accepted, ${size}: 413` };
      if (isTooLarge) throw new NotObservable(`413 for ${size} bytes`);
      accepted = size;
    }
    return { value: accepted, evidence: `at least ${accepted} bytes` };
  }),
];

/** Finds the allowed origins: all, one or none. */
const cors = assumption("G-CORS", "cors", [], async (service) => {
  const origin = "https://conformance.invalid";
  const { headers } = await service.send(await service.anyRequest(), { headers: { Origin: origin } });
  const allowed = headers.get("access-control-allow-origin");
  const evidence = `Access-Control-Allow-Origin: ${allowed === origin ? "the request's origin" : allowed}`;
  if (allowed === "*" || allowed === origin) return { value: "*", evidence };
  if (isOrigin(allowed)) return { value: [allowed as string], evidence };
  if (allowed !== null) throw new NotObservable("Access-Control-Allow-Origin is not an origin");
  if (!/\borigin\b/i.test(headers.get("vary") ?? "")) return { value: [], evidence: "no CORS headers" };
  throw new NotObservable("allows some origins, but no request can list them (Vary: Origin)");
});

/** Section 8, and the limits of the fields of an event. */
export const limitChecks: readonly Check[] = [...needing({ writes: "events" }, ...fields, ...requests), cors];
