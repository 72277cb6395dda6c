import type { Difference } from "./difference.ts";
import type { ComparedOperation, OperationPair } from "./operations-of.ts";
import { hasSameItems, missingFrom } from "./schema/schema-change.ts";

type Finding = readonly [change: Difference["change"], message: string, breaking: boolean];

/** Compares the credentials and scopes that an operation accepts. */
export function compareSecurity([before, after]: OperationPair): Difference[] {
  const findings = [...compareSchemes(before, after), ...compareScopes(before, after)];
  const isOther = findings.length === 0 && !hasSameItems(alternatives(before), alternatives(after));
  const all: readonly Finding[] = isOther
    ? [["changed", "accepts different combinations of credentials and scopes", true]]
    : findings;
  return all.map(([change, message, breaking]) => ({
    area: "authentication",
    change,
    subject: after.id,
    message,
    breaking,
    operations: [after.id],
  }));
}

function compareSchemes(before: ComparedOperation, after: ComparedOperation): Finding[] {
  const [old, now] = [schemesOf(before), schemesOf(after)];
  return [
    ...missingFrom(old, now).map((scheme) => ["added", `accepts the credential ${scheme}`, false] as const),
    ...missingFrom(now, old).map((scheme) => ["removed", `no longer accepts the credential ${scheme}`, true] as const),
  ];
}

function compareScopes(before: ComparedOperation, after: ComparedOperation): Finding[] {
  const [old, now] = [scopesOf(before), scopesOf(after)];
  if (old.length === 0 && now.length > 0) return [["added", `requires the scope ${now.join(" or ")}`, true]];
  if (old.length > 0 && now.length === 0) return [["removed", "no longer requires a scope", false]];
  return [
    ...missingFrom(old, now).map((scope) => ["added", `accepts the scope ${scope}`, false] as const),
    ...missingFrom(now, old).map((scope) => ["removed", `no longer accepts the scope ${scope}`, true] as const),
  ];
}

function schemesOf({ security }: ComparedOperation): string[] {
  return [...new Set(security.flatMap((alternative) => Object.keys(alternative)))];
}

function scopesOf({ security }: ComparedOperation): string[] {
  return [...new Set(security.flatMap((alternative) => Object.values(alternative).flat()))];
}

function alternatives({ security }: ComparedOperation): string[] {
  return security.map((alternative) => JSON.stringify(alternative));
}
