import type { Contract } from "../../src/contract/index.ts";
import { isVersion, nextVersion } from "../../src/lifecycle/index.ts";
import {
  anything,
  kind,
  listOf,
  object,
  oneOf,
  requireShape,
  type Shape,
  status,
  text,
  texts,
} from "../options/options.ts";

/** The names of the three supported versions. */
export interface SupportedVersions {
  readonly deprecated: string;
  readonly current: string;
  readonly next: string;
}

/** The supported versions with their contracts, and the removed versions that endpoints may still use. */
export interface VersionTable extends SupportedVersions {
  readonly contracts: ReadonlyMap<string, Contract>;
  /** The contracts of removed versions: they accept no requests, but deliveries continue (G-REMOVED). */
  readonly removed: ReadonlyMap<string, Contract>;
  /** The contract of the Next that the next release creates; undefined for a copy of the version just released (G-NEXTNEXT). */
  readonly coming: Contract | undefined;
}

/**
 * Returns the supported versions: the oldest contract is Deprecated, the third Next (specification, section 3.2). A fourth is
 * the Next that the first release creates.
 *
 * @throws TypeError unless there are three or four contracts with different valid versions.
 */
export function supportedVersions(contracts: readonly Contract[]): VersionTable {
  const [deprecated, current, next, coming, ...more] = [...contracts].sort((a, b) => (a.version < b.version ? -1 : 1));
  const names = contracts.map(({ version }) => version);
  if (!deprecated || !current || !next || more.length > 0 || new Set(names).size < names.length) {
    throw new TypeError(
      `createMock: \`contracts\` must be three, or four with the Next that a release creates, one per version; received ${names.join(", ") || "none"}.`,
    );
  }
  const wrong = names.find((name) => !isVersion(name));
  if (wrong !== undefined) {
    throw new TypeError(
      `createMock: the version of each contract must have the form YYYY-MM; received ${JSON.stringify(wrong)}.`,
    );
  }
  return { ...named([deprecated, current, next]), removed: new Map(), coming };
}

/**
 * Returns the versions after a quarterly release: Deprecated is removed, Current becomes Deprecated, Next becomes Current,
 * and a new Next is created: the fourth contract if there is one, otherwise a copy of the version just released (G-NEXTNEXT),
 * named after the following quarter.
 */
export function afterRelease(versions: VersionTable): VersionTable {
  const [gone, current, next] = [...versions.contracts.values()] as [Contract, Contract, Contract];
  const created = versions.coming ?? { ...next, version: nextVersion(next.version) };
  const removed = new Map(versions.removed).set(gone.version, gone);
  return { ...named([current, next, created]), removed, coming: undefined };
}

function named(contracts: [Contract, Contract, Contract]): SupportedVersions & Pick<VersionTable, "contracts"> {
  const [deprecated, current, next] = contracts;
  return {
    deprecated: deprecated.version,
    current: current.version,
    next: next.version,
    contracts: new Map(contracts.map((contract) => [contract.version, contract])),
  };
}

const schema = kind(
  "a schema that implements Standard Schema",
  (value) => typeof (value as Partial<Standard> | null)?.["~standard"]?.validate === "function",
);

interface Standard {
  readonly "~standard": { readonly validate?: unknown };
}

const path = kind("a path that starts with /v1/", (value) => text.fits(value) && (value as string).startsWith("/v1/"));
const operations = listOf(anything, "operations");

const CONTRACT: Shape = {
  version: text,
  operations,
  scopes: texts,
  securitySchemes: object,
  webhookEventTypes: texts,
  webhookData: object,
};
const METHOD = oneOf("GET", "POST", "PUT", "PATCH", "DELETE");
const OPERATION: Shape = {
  id: text,
  method: METHOD,
  path,
  security: object,
  request: object,
  response: object,
  failures: object,
};
const SECURITY: Shape = { schemes: texts, scopes: texts };
const REQUEST: Shape = { path: schema, query: schema, body: schema };
const RESPONSE: Shape = { status, body: schema };

/**
 * Checks a contract that the package did not make. Fields that the mock does not use are ignored.
 *
 * @param place Names the contract in messages.
 * @throws TypeError naming the field that is missing or invalid.
 */
export function requireContract(place: string, given: unknown): void {
  const contract = requireAll(place, given, CONTRACT);
  requireSchemas(`${place}.webhookData`, contract["webhookData"]);
  for (const [index, each] of (contract["operations"] as unknown[]).entries()) {
    requireOperation(`${place}.operations[${index}]`, each);
  }
}

function requireOperation(place: string, given: unknown): void {
  const { security, request, response, failures } = requireAll(place, given, OPERATION);
  requireAll(`${place}.security`, security, SECURITY);
  requireShape(`${place}.request`, request, REQUEST);
  requireAll(`${place}.response`, response, RESPONSE);
  requireSchemas(`${place}.failures`, failures);
}

/** Checks an object that must have every field of a shape, and returns it. */
function requireAll(place: string, given: unknown, shape: Shape): Readonly<Record<string, unknown>> {
  requireShape(place, given, shape, anything);
  const fields = given as Readonly<Record<string, unknown>>;
  const missing = Object.entries(shape).find(([name]) => fields[name] === undefined);
  if (missing) throw new TypeError(`${place}: \`${missing[0]}\` is required and must be ${missing[1].name}.`);
  return fields;
}

/** Checks an object whose values are schemas. */
function requireSchemas(place: string, given: unknown): void {
  requireShape(place, given, {}, schema);
}
