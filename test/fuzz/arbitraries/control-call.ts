import fc from "fast-check";
import { COLLECTIONS, type CollectionName } from "../../../mock/control/client.ts";
import { routes } from "../../../mock/control/routes.ts";
import { createMock } from "../../../mock/index.ts";
import { oddJson, oddString, weighted } from "./values.ts";

/** A generated request to the control API. */
export interface ControlFuzz {
  readonly method: string;
  /** Below `/__mock`; `{id}` stands for the id of a record that exists. */
  readonly path: string;
  /** An id to send unchanged, instead of an existing one. */
  readonly id: string | undefined;
  /** The index of the existing record. */
  readonly pick: number;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Waits until something happens, so it cannot be fuzzed; the tests of webhooks call it. */
const WAITING = "POST /webhooks/idle";

const ROUTES = Object.entries(routes)
  .map(([name, { query }]) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, method, path, query };
  })
  .filter(({ name }) => name !== WAITING);

/** The routes that create records. */
const WRITES = ROUTES.filter(({ name }) => /^(POST|PATCH) \/([\w-]+|webhooks\/emit|[\w-]+\/\{id\})$/.test(name));

/** The fields of a record of each collection. */
export const recordFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.keys(COLLECTIONS).map((name) => [name, Object.keys(createMock()[name as CollectionName].create())]),
);

const TOKEN = ["type", "scopes", "organization", "user", "expiresIn", "token"];
const FAULT = ["operation", "status", "delay", "retryAfter", "kind", "skip", "times", "probability"];
const EMIT = ["type", "data", "organization"];

/** All fields of bodies of the control API. */
const FIELDS = [
  ...new Set([...Object.values(recordFields).flat(), ...TOKEN, ...FAULT, ...EMIT, "prices", "to", "unknown"]),
];

/** Generates requests to every route of the control API, with any JSON bodies and unusual records. */
export const controlCalls: fc.Arbitrary<ControlFuzz> = weighted(
  [1, fc.constantFrom(...ROUTES)],
  [3, fc.constantFrom(...WRITES)],
).chain(({ name, method, path, query = {} }) =>
  fc.record({
    method: weighted([9, fc.constant(method)], [1, anyMethod]),
    path: fc.constant(path),
    id: fc.option(oddString, { nil: undefined, freq: 2 }),
    pick: fc.nat({ max: 5 }),
    query: queryOf(Object.keys(query)),
    body: method === "GET" || method === "DELETE" ? fc.constant(undefined) : bodyOf(name),
  }),
);

const anyMethod = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

function queryOf(names: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const known = fc.record(Object.fromEntries(names.map((name) => [name, oddString])));
  const odd = fc.dictionary(oddString, oddString, { maxKeys: 2 });
  return weighted([8, fc.constant({})], [3, known], [1, odd]);
}

function bodyOf(route: string): fc.Arbitrary<string | undefined> {
  const text = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value) ?? "");
  return weighted(
    [6, text(bodyFor(route))],
    [3, text(fc.dictionary(fc.constantFrom(...FIELDS), oddJson, { maxKeys: 4 }))],
    [2, text(oddJson)],
    [1, oddString],
    [1, fc.constant(undefined)],
  );
}

/** Generates a body with known fields, which are valid or unusual. */
function bodyFor(route: string): fc.Arbitrary<unknown> {
  const path = `/${route.split("/")[1]}`;
  const collection = Object.entries(COLLECTIONS).find(([, each]) => each === path)?.[0];
  const fields = recordFields[collection ?? ""] ?? NAMED[route] ?? ["id"];
  const value = weighted([3, oddString], [2, oddJson]);
  // With more odd fields, hardly any record would be accepted.
  return fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 2 });
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  "POST /tokens": TOKEN,
  "POST /tokens/revoke": ["token"],
  "POST /faults": FAULT,
  "POST /webhooks/emit": EMIT,
};

/** Returns the request of a fuzz case, with the ids of existing records. */
export function requestOf(
  { method, path, id, pick, query, body }: ControlFuzz,
  server: string,
  ids: readonly string[],
): Request {
  const chosen = id ?? ids[pick % Math.max(ids.length, 1)] ?? "none";
  const filled = path.replace("{id}", encodeURIComponent(chosen.toWellFormed()));
  const url = `${server}/__mock${filled}?${new URLSearchParams(query)}`;
  const carries = body !== undefined && !["GET", "HEAD"].includes(method);
  return new Request(url, { method, ...(carries && { body }) });
}
