import * as z from "zod/mini";
import { contract as current } from "#current/contract";
import { contract as deprecated } from "#deprecated/contract";
import { contract as next } from "#next/contract";
import type { Contract, Schema, ZodSchema } from "../../src/contract/index.ts";
import { isVersion, nextVersion } from "../../src/lifecycle/index.ts";
import { validate } from "../validation/body-schema.ts";
import { type Problem, problemsOf, toRequirement } from "../validation/problems.ts";

/** The contract of every version that the package holds, oldest first. */
export const contracts: readonly Contract[] = [deprecated, current, next];

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
  /**
   * The contracts of the Nexts that releases create, in order; then, each is a copy of the version just released (G-NEXTNEXT).
   */
  readonly coming: readonly Contract[];
}

/**
 * Returns the supported versions: the oldest contract is Deprecated, the third Next (specification, section 3.2). Those
 * after it become Next, one with each release.
 *
 * @throws TypeError unless there are at least three contracts, with different versions and the same paths.
 */
export function supportedVersions(contracts: readonly Contract[]): VersionTable {
  const sorted = [...contracts].sort((a, b) => (a.version < b.version ? -1 : 1));
  const [deprecated, current, next, ...coming] = sorted;
  const names = contracts.map(({ version }) => version);
  if (!deprecated || !current || !next || new Set(names).size < names.length) {
    throw new TypeError(
      `createMock: \`contracts\` must be at least three, one per version; received ${names.join(", ") || "none"}.`,
    );
  }
  requireSamePaths("createMock", sorted);
  return { ...named([deprecated, current, next]), removed: new Map(), coming };
}

/** Throws a TypeError if the path of an operation changes with the version (specification, section 1). */
export function requireSamePaths(caller: string, contracts: readonly Contract[]): void {
  const paths = new Map<string, string>();
  for (const { version, operations } of contracts) {
    for (const { id, path } of operations) {
      const earlier = paths.get(id) ?? path;
      if (path !== earlier)
        throw new TypeError(`${caller}: ${id} has the path ${path} in ${version}, but ${earlier} before (ENV-2).`);
      paths.set(id, path);
    }
  }
}

/**
 * Returns the versions after a quarterly release: Deprecated is removed, Current becomes Deprecated, Next becomes Current,
 * and a new Next is created: the first of the coming contracts if there is one, otherwise a copy of the version just released
 * (G-NEXTNEXT), named after the following quarter.
 */
export function afterRelease(versions: VersionTable): VersionTable {
  const [gone, current, next] = [...versions.contracts.values()] as [Contract, Contract, Contract];
  const [created = { ...next, version: nextVersion(next.version) }, ...coming] = versions.coming;
  const removed = new Map(versions.removed).set(gone.version, gone);
  return { ...named([current, next, created]), removed, coming };
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

/** Returns the operations of every version, including removed ones: the journal still has requests to them. */
export function operationIds({ contracts, removed }: VersionTable): ReadonlySet<string> {
  const versions: Contract[] = [...contracts.values(), ...removed.values()];
  return new Set(versions.flatMap(({ operations }) => operations.map(({ id }) => id)));
}

/** Describes the fields of a contract that the mock uses. */
function contractSchema(): Schema {
  const isSchema = (value: unknown) => (value as Partial<ZodSchema> | null)?._zod?.version.major === 4;
  const schema = z.custom(isSchema, "Input should be a schema of zod 4");
  const schemas = z.record(z.string(), schema);
  const strings = z.array(z.string());
  // A 403 names scopes in a header, between quotes.
  const isScope = (text: string) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
  const scopes = z.array(z.string().check(z.refine(isScope, "Input should be a scope (RFC 6749, section 3.3)")));
  const isQuarter = (version: string) => isVersion(version) && /-(01|04|07|10)$/.test(version);
  const operation = z.object({
    id: z.string(),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: z.string().check(z.refine((path) => path.startsWith("/v1/"), "Input should begin with /v1/")),
    security: z.object({ schemes: strings, scopes }),
    request: z.strictObject({ path: z.optional(schema), query: z.optional(schema), body: z.optional(schema) }),
    response: z.object({ status: z.int().check(z.minimum(200), z.maximum(599)), body: z.optional(schema) }),
    failures: schemas,
  });
  return z.object({
    version: z.string().check(z.refine(isQuarter, "Input should be a quarter, YYYY-01, -04, -07 or -10")),
    operations: z.array(operation),
    scopes,
    webhookEventTypes: strings,
    webhookData: z.optional(schemas),
  });
}

/**
 * Checks a contract that the package did not make.
 *
 * @param place Names the contract in messages.
 * @throws TypeError naming the field that is missing or invalid.
 */
export function requireContract(place: string, given: unknown): void {
  const { issues = [] } = validate(contractSchema(), given);
  const [problem] = issues.length > 0 ? problemsOf(issues, given, []) : contradictions(given as Contract);
  if (problem) throw new TypeError(`${place}: \`${problem.loc.join(".")}\` ${toRequirement(problem.msg)}.`);
}

/** Returns the scopes and event types of a contract that its own schemas do not know: they would fail the first request. */
function contradictions({ operations, scopes, webhookEventTypes }: Contract): Problem[] {
  const problemsIn = (id: string, part: "request" | "response", given: Record<string, unknown>, name: string) => {
    const schema = operations.find((operation) => operation.id === id)?.[part].body;
    const { issues = [] } = schema ? validate(schema, given) : {};
    const found = problemsOf(issues, given, []).filter(
      ({ loc }) => loc.length === 2 && loc[0] === Object.keys(given)[0],
    );
    return found.map(({ loc, ...rest }) => ({ ...rest, loc: [name, ...loc.slice(1)] }));
  };
  return [
    ...problemsIn("oauth2:authorize", "response", { scopes }, "scopes"),
    ...problemsIn("webhooks:create_webhook_endpoint", "request", { events: webhookEventTypes }, "webhookEventTypes"),
  ];
}
