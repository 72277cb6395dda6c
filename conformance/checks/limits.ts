import { isLoopback, isOrigin } from "../../src/values/urls.ts";
import { assumption, type Check } from "../check.ts";
import { NotObservable, type Observed } from "../outcome.ts";
import type { Fields } from "../repair.ts";
import { Search } from "../search.ts";
import { INGEST, type Service } from "../service.ts";
import type { ServiceResponse } from "../service-response.ts";

const WRITES = { writes: "events", requests: 40 } as const;

/** The largest numbers that are tried. */
const [MOST_CHARACTERS, MOST_PAIRS, MOST_EVENTS] = [100_000, 1_000, 20_000];
const MOST_BYTES = 10 * 1024 * 1024;
/** The limit of bodies that is tried first: the default of nginx. */
const USUAL_BYTES = 1024 * 1024;

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
  return assumption(id, name, 0, WRITES, async (service) => {
    const value = await (await search(service)).smallest();
    return { value, evidence: value === 0 ? "empty is accepted" : `${value} accepted, ${value - 1} rejected` };
  });
}

/** Finds the largest number that is accepted: none if it is more than the largest that is tried, as by default. */
function largest(id: string, name: string, search: Searched, most = MOST_CHARACTERS): Check {
  return assumption(id, name, null, WRITES, async (service) => {
    const [value, isMost] = await (await search(service)).largest(most);
    return isMost ? { value: null, evidence: `at least ${most}` } : limit(value);
  });
}

const limit = (value: number, isMost = false): Observed => ({
  value,
  evidence: isMost ? `at least ${value}, the most that was tried` : `${value} accepted, ${value + 1} rejected`,
});

/** Ingests an event with an object in its metadata. */
async function ingestObject(service: Service, name?: string): Promise<ServiceResponse> {
  const own = name ?? key(0, await (await keyLengths(service)).any());
  return service.ingest({ metadata: { [own]: { nested: true } } });
}

/** Section 2.2: limits of the fields of an event. */
const fields: readonly Check[] = [
  smallest("G-EVT-REQ", "eventName.minLength", nameLengths),
  largest("G-EVT-REQ", "eventName.maxLength", nameLengths),
  smallest("G-EVT-META", "metadata.minKeyLength", keyLengths),
  largest("G-EVT-META", "metadata.maxKeyLength", keyLengths),
  smallest("G-EVT-META", "metadata.minValueLength", valueLengths),
  largest("G-EVT-META", "metadata.maxValueLength", valueLengths),
  largest("G-EVT-META", "metadata.maxPairs", pairs, MOST_PAIRS),
  assumption("G-EVT-META", "metadata.values", "any", WRITES, async (service) =>
    (await ingestObject(service)).verdict(["any", "scalars"], { what: "an object", fields: ["metadata"] }),
  ),
  assumption("G-EVT-META", "metadata.objectKeys", [], WRITES, async (service) => {
    if ((await ingestObject(service)).isAccepted("metadata"))
      throw new NotObservable("objects are accepted under any key (metadata.values)");
    const accepted: string[] = [];
    const others: string[] = [];
    let isAnyUnclear = false;
    for (const name of ["_cost", "_llm"]) {
      const response = await ingestObject(service, name);
      const [problem] = response.problems;
      // Another length of the key, or another shape of the object, may be accepted.
      const isUnclear = problem && (problem.ctx || problem.loc.length > 5);
      isAnyUnclear ||= Boolean(isUnclear);
      if (!isUnclear && response.isAccepted("metadata")) accepted.push(name);
      else others.push(isUnclear ? `${name} (unclear: ${response.summary})` : name);
    }
    if (accepted.length === 0 && isAnyUnclear) throw new NotObservable(others.join(", "));
    const found = `objects under ${accepted.join(", ") || "no key"}`;
    return { value: accepted, evidence: others.length === 0 ? found : `${found}; not under ${others.join(", ")}` };
  }),
];

/** Section 8: limits of requests. */
const requests: readonly Check[] = [
  assumption("G-PROTO", "unstorableText", "accept", WRITES, async (service) => {
    const name = key(0, await (await keyLengths(service)).any());
    const text = "\0".padStart(await (await valueLengths(service)).any(), "x");
    const response = await service.ingest({ metadata: { [name]: text } });
    return response.verdict(["accept", "reject"], { what: "NUL", fields: ["metadata"] });
  }),
  assumption("G-EVT-MAX", "maxBatchSize", 10_000, WRITES, async (service) => {
    if ((await service.ingest({}, {})).fields["inserted"] !== 0)
      throw new NotObservable("duplicates are stored (G-EVT-DUP), so this check would store thousands of events");
    const send = (size: number) => service.ingest(...Array<Fields>(size).fill({}));
    return limit(...(await new Search({ send, judge: about("events"), usual: [1] }).largest(MOST_EVENTS)));
  }),
  assumption("G-BODY-MAX", "maxBodyBytes", MOST_BYTES, { ...WRITES, requests: 60 }, findBodyLimit),
  assumption("G-CORS", "cors", [], { requests: 10 }, findOrigins),
];

/** Finds the allowed origins: all, none, or some of the run's `origins`. */
async function findOrigins(service: Service): Promise<Observed> {
  const line = await service.anyRequest();
  const allowedFor = async (origin: string) => {
    const { headers } = await service.send(line, { headers: { Origin: origin } });
    return { allowed: headers.get("access-control-allow-origin"), vary: headers.get("vary") ?? "" };
  };
  const other = "https://conformance.invalid";
  const { allowed, vary } = await allowedFor(other);
  const evidence = `Access-Control-Allow-Origin: ${allowed === other ? "the request's origin" : allowed}`;
  if (allowed === "*" || allowed === other) return { value: "*", evidence };
  if (allowed !== null && isOrigin(allowed)) return { value: [allowed], evidence };
  if (allowed !== null) throw new NotObservable("Access-Control-Allow-Origin is not an origin");
  const { origins } = service.settings;
  const accepted: string[] = [];
  for (const origin of origins) if ((await allowedFor(origin)).allowed === origin) accepted.push(origin);
  if (accepted.length > 0) return { value: accepted, evidence: `allowed among ${origins.length} tried origins` };
  if (!/\borigin\b/i.test(vary)) return { value: [], evidence: "no CORS headers" };
  const reason = "allows some origins, but no request can list them (Vary: Origin)";
  throw new NotObservable(reason, "origins");
}

/** Finds the largest body, padded with spaces. */
async function findBodyLimit(service: Service): Promise<Observed> {
  const most = mostMebibytes(service.settings);
  let sent = 0;
  const send = (size: number) => {
    sent += size;
    if (sent <= most * 1024 * 1024) return service.send(INGEST, { body: '{"events":[{}]}'.padEnd(size) });
    throw new NotObservable(`finding it takes more than ${most} MiB of request bodies`);
  };
  // An invalid event is rejected, but not because of the size.
  const judge = (response: ServiceResponse) => {
    if (response.status !== 413 && response.isAccepted())
      throw new NotObservable("an invalid event is accepted (ING-5)");
    return response.status !== 413;
  };
  const probe = { send, judge, usual: [USUAL_BYTES + 1, 1024, 64], hints: [USUAL_BYTES, MOST_BYTES] };
  const [value, isMost] = await new Search(probe).largest(MOST_BYTES + 1);
  return { value, evidence: isMost ? `at least ${value} bytes` : `${value} bytes accepted, ${value + 1}: 413` };
}

/** Returns how much the search for the largest body may upload: less to another machine. */
export function mostMebibytes({ baseUrl }: { readonly baseUrl: string }): number {
  return isLoopback(new URL(baseUrl).hostname) ? 256 : 32;
}

/** Section 8, and the limits of the fields of an event. */
export const limitChecks: readonly Check[] = [...fields, ...requests];
