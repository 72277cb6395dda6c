import fc from "fast-check";
import type { Contract, Operation } from "../../../src/contract/index.ts";
import { CURRENT, DEPRECATED, NEXT } from "../../support/versions.ts";
import { broken, fitting, oddJson, oddString, weighted } from "./values.ts";

/** The credential of a request: the kinds that the tests prepare, and invalid ones. */
const CREDENTIALS = ["oat", "pat", "oidc", "scopeless", "other", "revoked", "expired", "unknown", "none"] as const;

/** One of them. */
export type CredentialName = (typeof CREDENTIALS)[number];

/** A generated request to the service. */
export interface FuzzRequest {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly credential: CredentialName;
  /** The header `Service-Version`; null for none. */
  readonly version: string | null;
  /** The parameters in the path, by name: a number for a record that exists, a string to send as it is. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly contentType: string;
}

/** Generates requests to every operation of the contracts: valid, slightly invalid, and completely invalid. */
export function requestsTo(contracts: readonly Contract[]): fc.Arbitrary<FuzzRequest> {
  const operations = contracts.flatMap((contract) => contract.operations.map((operation) => ({ contract, operation })));
  return fc.constantFrom(...operations).chain(({ contract, operation }) =>
    fc
      .record({
        credential: mostly("oat" as CredentialName, fc.constantFrom(...CREDENTIALS)),
        version: mostly(contract.version as string | null, fc.oneof(versionText, fc.constant(null))),
        path: pathOf(operation),
        query: queryOf(operation),
        body: bodyOf(operation),
        contentType: mostly("application/json", fc.constantFrom("", "text/plain", "application/json; charset=utf-8")),
      })
      .map((sent) => ({ contract, operation, ...sent, [fc.toStringMethod]: () => described(operation, sent) })),
  );
}

/** Prints only the request in a failure, not the whole contract. */
function described({ method, path }: Operation, sent: object): string {
  return `${method} ${path} ${fc.stringify(sent)}`;
}

function mostly<Value>(usual: Value, others: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return weighted([5, fc.constant(usual)], [1, others]);
}

/** Generates a valid value of a header. */
const headerText = oddString.map((text) => text.replaceAll(/[^\x21-\x7e]/g, "").slice(0, 200));
const month = fc.tuple(fc.integer({ min: 2023, max: 2027 }), fc.integer({ min: 0, max: 13 }));
const monthText = month.map(([year, number]) => `${year}-${String(number).padStart(2, "0")}`);
const versionText = fc.oneof(fc.constantFrom(DEPRECATED, CURRENT, NEXT), monthText, headerText);
/** Generates strings that begin like JSON. */
const almostJson = fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0057eE+-.truefalsn ') });

function pathOf({ path }: Operation): fc.Arbitrary<Record<string, unknown>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const value = weighted<unknown>([3, fc.nat({ max: 3 })], [1, fc.uuid()], [1, oddString]);
  return fc.record(Object.fromEntries(names.map((name) => [name, value])));
}

function queryOf({ request: { query } }: Operation): fc.Arbitrary<Record<string, string>> {
  const any = fc.dictionary(oddString, oddString, { maxKeys: 2 });
  if (!query) return mostly({}, any);
  const right = fitting(query).map(texts);
  const wrong = broken(fitting(query)).map(texts);
  return weighted([3, right], [2, wrong], [1, any]);
}

/** Returns the part of a value that fits into a query. A server accepts URLs of up to 16 KiB. */
function texts(value: unknown): Record<string, string> {
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const text = (field: unknown) => (typeof field === "object" ? JSON.stringify(field) : String(field)).slice(0, 500);
  return Object.fromEntries(fields.map(([name, field]) => [name.slice(0, 500), text(field)]));
}

function bodyOf({ method, request: { body } }: Operation): fc.Arbitrary<string | undefined> {
  if (method === "GET") return fc.constant(undefined);
  const text = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value) ?? "");
  const right = body ? fitting(body) : oddJson;
  return weighted(
    [4, text(right)],
    [6, text(broken(right))],
    [1, text(oddJson)],
    [1, fc.oneof(oddString, almostJson)],
    [1, fc.constant(undefined)],
  );
}
