import type { Contract } from "../../src/contract/index.ts";
import { isVersion, nextVersion } from "../../src/lifecycle/index.ts";

/** The names of the three supported versions. */
export interface SupportedVersions {
  readonly deprecated: string;
  readonly current: string;
  readonly next: string;
}

/** The supported versions and the contract of each, and those that endpoints may still be bound to. */
export interface VersionTable extends SupportedVersions {
  readonly contracts: ReadonlyMap<string, Contract>;
  /** The contracts of removed versions: no request is answered under them, but deliveries go on (G-REMOVED). */
  readonly removed: ReadonlyMap<string, Contract>;
  /** Makes the contract of the Next that a release creates from that of the version just released (G-NEXTNEXT). */
  readonly nextContract: (released: Contract) => Contract;
}

/** Reads the state of each version from its place: the oldest is Deprecated, the newest Next (specification, 3.2). */
export function supportedVersions(
  contracts: readonly Contract[],
  nextContract: VersionTable["nextContract"],
): VersionTable {
  const [deprecated, current, next, ...more] = [...contracts].sort((a, b) => (a.version < b.version ? -1 : 1));
  const names = contracts.map(({ version }) => version);
  if (!deprecated || !current || !next || more.length > 0 || new Set(names).size < 3) {
    throw new TypeError(
      `createMock: contracts must be exactly three, one per version; got ${names.join(", ") || "none"}.`,
    );
  }
  const wrong = names.find((name) => !isVersion(name));
  if (wrong !== undefined) {
    throw new TypeError(`createMock: the version of a contract must be YYYY-MM; received ${JSON.stringify(wrong)}.`);
  }
  return { ...named([deprecated, current, next]), removed: new Map(), nextContract };
}

/**
 * A quarterly release: Deprecated is removed, Current becomes Deprecated, Next becomes Current, and a new Next appears,
 * named after the following quarter.
 */
export function released(versions: VersionTable): VersionTable {
  const [gone, current, next] = [...versions.contracts.values()] as [Contract, Contract, Contract];
  const created: Contract = { ...versions.nextContract(next), version: nextVersion(next.version) };
  const removed = new Map(versions.removed).set(gone.version, gone);
  return { ...versions, ...named([current, next, created]), removed };
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
