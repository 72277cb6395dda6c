import * as z from "zod/mini";
import { contract as current } from "#current/contract";
import { contract as deprecated } from "#deprecated/contract";
import { contract as next } from "#next/contract";
import { type Contract, frozenContract, type Schema, type ZodSchema } from "../../src/contract/index.ts";
import { isVersion, nextVersion } from "../../src/lifecycle/index.ts";
import { validate } from "../validation/body-schema.ts";
import { problemsOf, toRequirement } from "../validation/schema-problems.ts";

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
  return { ...named([deprecated, current, next]), removed: new Map(), coming };
}

/**
 * Returns the versions after a quarterly release: Deprecated is removed, Current becomes Deprecated, Next becomes Current,
 * and a new Next is created: the fourth contract if there is one, otherwise a copy of the version just released (G-NEXTNEXT),
 * named after the following quarter.
 */
export function afterRelease(versions: VersionTable): VersionTable {
  const [gone, current, next] = [...versions.contracts.values()] as [Contract, Contract, Contract];
  const created = versions.coming ?? frozenContract({ ...next, version: nextVersion(next.version) });
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

/** Describes the fields of a contract that the mock uses. */
function contractSchema(): Schema {
  const isSchema = (value: unknown) => (value as Partial<ZodSchema> | null)?._zod?.version.major === 4;
  const schema = z.custom(isSchema, "Input should be a schema of zod 4");
  const schemas = z.record(z.string(), schema);
  const strings = z.array(z.string());
  // A 403 names scopes in a header, between quotes.
  const isScope = (text: string) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
  const scopes = z.array(z.string().check(z.refine(isScope, "Input should be a scope (RFC 6749, section 3.3)")));
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
    version: z.string().check(z.refine(isVersion, "Input should have the form YYYY-MM")),
    operations: z.array(operation),
    scopes,
    securitySchemes: z.record(z.string(), z.unknown()),
    webhookEventTypes: strings,
    webhookData: schemas,
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
  const [problem] = problemsOf(issues, given, []);
  if (problem) throw new TypeError(`${place}: \`${problem.loc.join(".")}\` ${toRequirement(problem.msg)}.`);
}
