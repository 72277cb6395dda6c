import { type Contract, frozenContract } from "../../src/contract/index.ts";
import { isVersion, nextVersion } from "../../src/lifecycle/index.ts";
import { requireContract } from "./require-contract.ts";

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
  /** Returns the contract of the new Next, given the contract of the version that was just released (G-NEXTNEXT). */
  readonly nextContract: (released: Contract) => Contract;
}

/**
 * Returns the supported versions: the oldest contract is Deprecated, the newest Next (specification, section 3.2).
 *
 * @throws TypeError unless there are three contracts with different valid versions.
 */
export function supportedVersions(
  contracts: readonly Contract[],
  nextContract: VersionTable["nextContract"],
): VersionTable {
  const [deprecated, current, next, ...more] = [...contracts].sort((a, b) => (a.version < b.version ? -1 : 1));
  const names = contracts.map(({ version }) => version);
  if (!deprecated || !current || !next || more.length > 0 || new Set(names).size < 3) {
    throw new TypeError(
      `createMock: \`contracts\` must be exactly three, one per version; received ${names.join(", ") || "none"}.`,
    );
  }
  const wrong = names.find((name) => !isVersion(name));
  if (wrong !== undefined) {
    throw new TypeError(
      `createMock: the version of each contract must have the form YYYY-MM; received ${JSON.stringify(wrong)}.`,
    );
  }
  return { ...named([deprecated, current, next]), removed: new Map(), nextContract };
}

/**
 * Returns the versions after a quarterly release: Deprecated is removed, Current becomes Deprecated, Next becomes Current,
 * and a new Next is created, named after the following quarter.
 *
 * @throws TypeError if `nextContract` does not return a contract.
 */
export function afterRelease(versions: VersionTable): VersionTable {
  const [gone, current, next] = [...versions.contracts.values()] as [Contract, Contract, Contract];
  const created: Contract = { ...versions.nextContract(next), version: nextVersion(next.version) };
  requireContract("release: the result of nextContract", created);
  const removed = new Map(versions.removed).set(gone.version, gone);
  return { ...versions, ...named([current, next, frozenContract(created)]), removed };
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
