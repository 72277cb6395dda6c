import type { Contract } from "../../src/contract/index.ts";

/** Writes the names in the contracts as types: for completion in an editor, and for records with one entry per name. */
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

/** Every name once, in the order of the contracts. */
function union(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `\n  | ${JSON.stringify(name)}`).join("");
}

/** Every name once, and any other string, because a given contract may have other names. */
function openUnion(names: readonly string[]): string {
  return `${union(names)}\n  | (string & Record<never, never>)`;
}
