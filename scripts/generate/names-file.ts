import type { Contract } from "../../src/contract/index.ts";

/** Returns the content of `mock/generated/names.ts`: the names in the contracts as types. */
export function namesFile(contracts: readonly Contract[]): string {
  const operations = contracts.flatMap((contract) => contract.operations.map(({ id }) => id));
  const eventTypes = contracts.flatMap(({ webhookEventTypes }) => webhookEventTypes);
  const scopes = contracts.flatMap((contract) => contract.scopes);
  return `// Written by \`npm run generate\` from the contracts in versions/.

/** The id of an operation of the package's contracts. */
export type OperationId =${union(operations)};

/** The id of an operation, for example \`events:ingest\`. */
export type OperationName = OperationId | (string & Record<never, never>);

/** The type of a webhook event, for example \`order.paid\`. */
export type EventTypeName =${openUnion(eventTypes)};

/** The name of a scope, for example \`events:write\`. */
export type ScopeName =${openUnion(scopes)};
`;
}

/** Returns a union of the distinct names, in the order of the contracts. */
function union(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `\n  | ${JSON.stringify(name)}`).join("");
}

/** Returns a union of the distinct names and any other string, because a custom contract may have other names. */
function openUnion(names: readonly string[]): string {
  return `${union(names)}\n  | (string & Record<never, never>)`;
}
