import { type AssumptionCheck, assumption, type Check } from "../check.ts";
import { MAX_WAIT_SECONDS } from "../connection.ts";
import { INGEST, ingest, ingestToken, withEvent } from "../fixtures.ts";
import { isOrigin, isThisMachine } from "../options.ts";
import { NotObservable, type Observed } from "../outcome.ts";
import { Search } from "../search.ts";
import { isAccepted, problemsOf, requireSuccess, type Service, summaryOf, verdict } from "../service.ts";
import { LOOKUP, lookUp } from "./authorize.ts";

const WRITES = { writes: "events", requests: 40 } as const;

/** The longest texts and the most pairs to try. A limit above the first is reported as none. */
const LENGTHS = [100_000, 10_000, 1_000, 100];
const PAIRS = [1_000, 100, 10];
const BATCHES = [20_000, 2_000, 200, 20];

/** Lengths to try until one is accepted. */
const USUAL = [20, 1, 8, 64, 256, 1_000, 0];

type Run = AssumptionCheck["run"];

/** Finds the shortest text that is accepted. */
function shortest(search: (service: Service) => Promise<Search>): Run {
  return async (service) => {
    const lengths = await search(service);
    const value = await lengths.smallest(await lengths.any(USUAL));
    return { value, evidence: value === 0 ? "empty is accepted" : `${value} accepted, ${value - 1} rejected` };
  };
}

/** Finds the longest text, or the most pairs, that are accepted; null for more than the first bound. */
function longest(search: (service: Service) => Promise<Search>, bounds: readonly number[]): Run {
  return async (service) => {
    const lengths = await search(service);
    const value = await lengths.largest(await lengths.any(USUAL), bounds);
    if (value === undefined) return { value: null, evidence: `${bounds[0]} accepted` };
    return { value, evidence: `${value} accepted, ${value + 1} rejected` };
  };
}

const nameLengths = (service: Service) =>
  service.once("name lengths", async () => new Search((length) => ingest(service, { name: "x".repeat(length) })));

/** Returns a key of a length: of characters that no key of another index begins with. */
const key = (index: number, length: number) =>
  String.fromCodePoint(0x4e00 + index)
    .padEnd(length, "x")
    .slice(0, length);

const keyLengths = (service: Service) =>
  service.once(
    "key lengths",
    async () => new Search((length) => ingest(service, { metadata: { [key(0, length)]: 1 } })),
  );

/** Returns the length of a key that is accepted. */
const keyLength = (service: Service) => keyLengths(service).then((lengths) => lengths.any(USUAL));

const valueLengths = (service: Service) =>
  service.once("value lengths", async () => {
    const name = key(0, await keyLength(service));
    return new Search((length) => ingest(service, { metadata: { [name]: "x".repeat(length) } }));
  });

const pairCounts = (service: Service) =>
  service.once("pairs", async () => {
    const length = await keyLength(service);
    if (length === 0) throw new NotObservable("only an empty key is accepted");
    const pairs = (count: number) => Array.from({ length: count }, (_, index) => [key(index, length), 1]);
    return new Search((count) => ingest(service, { metadata: Object.fromEntries(pairs(count)) }));
  });

/** Section 2.2: limits of the fields of an event. */
const fields: readonly Check[] = [
  assumption("G-EVT-REQ", "eventName.minLength", 0, WRITES, shortest(nameLengths)),
  assumption("G-EVT-REQ", "eventName.maxLength", null, WRITES, longest(nameLengths, LENGTHS)),
  assumption("G-EVT-META", "metadata.minKeyLength", 0, WRITES, shortest(keyLengths)),
  assumption("G-EVT-META", "metadata.maxKeyLength", null, WRITES, longest(keyLengths, LENGTHS)),
  assumption("G-EVT-META", "metadata.minValueLength", 0, WRITES, shortest(valueLengths)),
  assumption("G-EVT-META", "metadata.maxValueLength", null, WRITES, longest(valueLengths, LENGTHS)),
  assumption("G-EVT-META", "metadata.maxPairs", null, WRITES, longest(pairCounts, PAIRS)),
  assumption("G-EVT-META", "metadata.values", "any", WRITES, async (service) => {
    const answer = await ingest(service, { metadata: { [key(0, await keyLength(service))]: { nested: true } } });
    return verdict(answer, ["any", "scalars"], "an object");
  }),
  assumption("G-EVT-META", "metadata.objectKeys", [], WRITES, async (service) => {
    const any = await ingest(service, { metadata: { [key(0, await keyLength(service))]: { nested: true } } });
    if (isAccepted(any)) throw new NotObservable("objects are accepted under any key (metadata.values)");
    const accepted: string[] = [];
    const tried = ["_cost", "_llm", ...service.settings.metadataKeys];
    for (const name of tried) {
      const answer = await ingest(service, { metadata: { [name]: { nested: true } } });
      const [problem] = problemsOf(answer);
      if (problem?.ctx) throw new NotObservable(`the key ${name} has a length that is rejected`);
      if (problem && problem.loc.length > 5)
        throw new NotObservable(`objects of some shapes may be accepted under ${name}: ${summaryOf(answer)}`);
      if (isAccepted(answer)) accepted.push(name);
    }
    const others = tried.filter((name) => !accepted.includes(name));
    const found = `objects under ${accepted.join(", ") || "no key"}`;
    return { value: accepted, evidence: others.length === 0 ? found : `${found}; not under ${others.join(", ")}` };
  }),
];

/** The origin of no page. */
const ORIGIN = "https://conformance.invalid";

/** Section 8: limits of requests. */
const requests: readonly Check[] = [
  assumption("G-EVT-MAX", "maxBatchSize", 10_000, WRITES, async (service) => {
    const event = await withEvent(service, {});
    const two = await service.send(INGEST, { json: { events: [event, event] } });
    const { inserted } = (two.body ?? {}) as { inserted?: unknown };
    if (inserted !== 0)
      throw new NotObservable(`duplicates are stored (G-EVT-DUP), so this check would store thousands of events`);
    const search = new Search((size) => service.send(INGEST, { json: { events: Array(size).fill(event) } }));
    const value = await search.largest(await search.any([1]), BATCHES);
    if (value === undefined) throw new NotObservable(`at least ${BATCHES[0]}, the largest batch that was tried`);
    return { value, evidence: `${value} accepted, ${value + 1} rejected` };
  }),
  assumption("G-BODY-MAX", "maxBodyBytes", 10 * 1024 * 1024, { ...WRITES, requests: 60 }, findBodyLimit),
  assumption("G-422-MAX", "maxProblems", 100, { ...WRITES, requests: 4 }, async (service) => {
    const one = await service.send(INGEST, { json: { events: [{}] } });
    if (problemsOf(one).length === 0) throw new NotObservable(`${summaryOf(one)} (ING-5)`);
    for (const size of [3_000, 300, 30]) {
      const answer = await service.send(INGEST, { json: { events: Array(size).fill({}) } });
      const problems = problemsOf(answer);
      const areOfEvents = problems.length > 0 && problems.every(({ loc }) => loc.length > 2);
      if (areOfEvents && problems.length < size)
        return { value: problems.length, evidence: `${problems.length} problems of ${size} invalid events` };
      if (areOfEvents) throw new NotObservable(`at least ${problems.length}, of a batch of ${size} invalid events`);
    }
    throw new NotObservable("no batch of invalid events returns one problem per event");
  }),
  assumption("G-LENGTH", "bodyWithoutLength", "accept", WRITES, async (service) => {
    if (service.settings.ownFetch)
      throw new NotObservable("shows only over a connection, not with a fetch function of its own");
    const text = JSON.stringify({ events: [await withEvent(service, {})] });
    const answer = await service.send(INGEST, {
      body: new Blob([text]).stream(),
      headers: { "Content-Type": "application/json" },
    });
    return verdict(answer, ["accept", "reject"], "without Content-Length");
  }),
  assumption("G-CORS", "cors", [], { requests: 10 }, findOrigins),
  assumption("G-RATE", "rateLimit", null, { requests: 2_100, burst: true }, findRateLimit),
];

/** Finds the allowed origins: all, none, or some of the run's `origins`. */
async function findOrigins(service: Service): Promise<Observed> {
  const allowedFor = async (origin: string) => {
    const { headers } = requireSuccess(await service.send(LOOKUP, { headers: { Origin: origin } }));
    return { allowed: headers.get("access-control-allow-origin"), vary: headers.get("vary") ?? "" };
  };
  await lookUp(service);
  const { allowed, vary } = await allowedFor(ORIGIN);
  const evidence = `Access-Control-Allow-Origin: ${allowed === ORIGIN ? "the request's origin" : allowed}`;
  if (allowed === "*" || allowed === ORIGIN) return { value: "*", evidence };
  if (allowed !== null && isOrigin(allowed)) return { value: [allowed], evidence };
  if (allowed !== null) throw new NotObservable("Access-Control-Allow-Origin is not an origin");
  const { origins } = service.settings;
  const accepted: string[] = [];
  for (const origin of origins) if ((await allowedFor(origin)).allowed === origin) accepted.push(origin);
  if (accepted.length > 0) return { value: accepted, evidence: `allowed among ${origins.length} tried origins` };
  if (!/\borigin\b/i.test(vary)) return { value: [], evidence: "no CORS headers" };
  throw new NotObservable(
    "allows some origins, but no request can list them (Vary: Origin); pass candidates with `origins`",
  );
}

/** Finds the largest body, padded with spaces: first as the response to a larger one says, or the default, then by bisection. */
async function findBodyLimit(service: Service): Promise<Observed> {
  const { token } = ingestToken(service);
  const most = mostMebibytes(service.settings);
  const hints: number[] = [];
  let sent = 0;
  const fits = async (size: number) => {
    sent += size;
    if (sent > most * 1024 * 1024) throw new NotObservable(`finding it takes more than ${most} MiB of request bodies`);
    const answer = await service.send(INGEST, { token, body: '{"events":[{}]}'.padEnd(size) });
    hints.push(...(JSON.stringify(answer.body ?? "").match(/\d{3,}/g) ?? []).map(Number));
    return isAccepted(answer) || answer.status !== 413;
  };
  const found = (value: number) => ({ value, evidence: `${value} bytes accepted, ${value + 1}: 413` });
  const byDefault = 10 * 1024 * 1024;
  if (await fits(byDefault + 1))
    throw new NotObservable(`more than ${byDefault} bytes, the largest body that was tried`);
  for (const hint of [...hints, byDefault])
    if (hint <= byDefault && (await fits(hint)) && !(await fits(hint + 1))) return found(hint);
  let [inside, outside] = [0, byDefault];
  for (let size = 1024; size < outside; size *= 2) {
    if (await fits(size)) inside = size;
    else outside = size;
  }
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if (await fits(middle)) inside = middle;
    else outside = middle;
  }
  return found(inside);
}

/** Returns how much the search for the largest body may upload: less to another machine. */
export function mostMebibytes({ baseUrl }: { readonly baseUrl: string }): number {
  return isThisMachine(new URL(baseUrl)) ? 192 : 32;
}

const MOST_IN_WINDOW = 1_000;

/** Finds the rate limit: requests until a 429, then the requests and the length of the window that it starts. */
async function findRateLimit(service: Service): Promise<Observed> {
  const { sleep } = service.settings;
  const { token } = ingestToken(service);
  const until429 = async () => {
    const started = performance.now();
    for (let count = 0; count <= MOST_IN_WINDOW; count++) {
      const { status, headers } = await service.send(LOOKUP, { token, keep429: true });
      if (status === 429)
        return { count, seconds: (performance.now() - started) / 1000, wait: Number(headers.get("retry-after")) };
    }
    return undefined;
  };
  await lookUp(service);
  const first = await until429();
  if (!first) return { value: null, evidence: `no 429 in ${MOST_IN_WINDOW} requests` };
  if (!(first.wait > 0 && first.wait <= MAX_WAIT_SECONDS))
    throw new NotObservable(`429 without Retry-After in seconds, up to ${MAX_WAIT_SECONDS}`);
  await sleep(first.wait * 1000);
  const window = await until429();
  if (!window || window.count === 0) throw new NotObservable("429 again after the time in Retry-After");
  const value = { requests: window.count, windowSeconds: Math.max(1, Math.floor(window.wait + window.seconds)) };
  return { value, evidence: `429 after ${window.count} requests, with Retry-After: ${window.wait}` };
}

/** Section 8, and the limits of the fields of an event. */
export const limitChecks: readonly Check[] = [...fields, ...requests];
