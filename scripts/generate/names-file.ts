import type { Contract } from "../../src/contract/index.ts";

/** Writes the types by which an editor completes the names that a test hands to the mock. */
export function namesFile(contracts: readonly Contract[]): string {
  const operations = contracts.flatMap((contract) => contract.operations.map(({ id }) => id));
  const eventTypes = contracts.flatMap(({ webhookEventTypes }) => webhookEventTypes);
  const scopes = contracts.flatMap((contract) => contract.scopes);
  return `// Written by \`npm run generate\` from the contracts in versions/.

/** The identifier of an operation, for example \`events:ingest\`. */
export type OperationName =${union(operations)};

/** The type of a webhook event, for example \`order.paid\`. */
export type EventTypeName =${union(eventTypes)};

/** The name of a scope, for example \`events:write\`. */
export type ScopeName =${union(scopes)};
`;
}

/** Every name once, in the order of the contracts; and any other text, which contracts that a mock is given may have. */
function union(names: readonly string[]): string {
  const texts = [...new Set(names)].map((name) => JSON.stringify(name));
  return [...texts, "(string & Record<never, never>)"].map((text) => `\n  | ${text}`).join("");
}
