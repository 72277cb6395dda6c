// The generated TypeScript.
import type { Contract } from "../../src/contract/index.ts";
import { releaseDates } from "../../src/lifecycle/index.ts";

/** The states of the versions in the package, oldest version first. */
export const STATES = ["Deprecated", "Current", "Next"] as const;

/** The state of a version in the package. */
export type State = (typeof STATES)[number];

/** Returns the content of `mock/generated/names.ts`: the names in the contracts as types. */
export function namesFile(contracts: readonly Contract[]): string {
  const operations = [...new Set(contracts.flatMap((contract) => contract.operations.map(({ id }) => id)))];
  const imports = [...STATES].sort().map((state) => {
    const types = `WebhookEventType as ${state}EventType, Scope as ${state}Scope`;
    return `import type { ${types} } from "#${state.toLowerCase()}/names";`;
  });
  const union = (name: string) => STATES.map((state) => `${state}${name}`).join(" | ");
  return `// Written by \`npm run generate\` from the contracts in versions/.
${imports.join("\n")}

/** The id of an operation of the package's contracts, for example \`events:ingest\`. */
export type OperationId =${operations.map((id) => `\n  | ${JSON.stringify(id)}`).join("")};

/** The type of a webhook event, for example \`order.paid\`. */
export type EventTypeName = ${union("EventType")};

/** The name of a scope, for example \`events:write\`. */
export type ScopeName = ${union("Scope")};

/** The names that a mock knows. Each may be any string if it has contracts of its own. */
export interface MockNames {
  readonly operation: string;
  readonly eventType: string;
  readonly scope: string;
}

/** The names of the package's contracts. */
export interface PackagedNames extends MockNames {
  readonly operation: OperationId;
  readonly eventType: EventTypeName;
  readonly scope: ScopeName;
}
`;
}

/**
 * Returns the content of `src/client/generated.ts`: what a client of the Deprecated version warns about, and the version of
 * the package, so that the client does not import JSON at run time.
 */
export function clientConstantsFile(
  [deprecated = "", current = ""]: readonly string[],
  packageVersion: string,
): string {
  const { earliest, latest } = releaseDates(deprecated).removed;
  return `// Written by \`npm run generate\` from the folders in versions/ and from package.json.
/** The Deprecated version of this package, the release that removes it, and the version to move to. */
export const DEPRECATED_VERSION = {
  version: "${deprecated}",
  removed: { earliest: "${earliest}", latest: "${latest}" },
  current: "${current}",
} as const;

/** The version of the package. */
export const PACKAGE_VERSION = ${JSON.stringify(packageVersion)};
`;
}

const FUNCTION = "\nexport function createClient(";
const NOTE = /( \*\n)? \* (@deprecated .*|This version is Next: .*)\n/g;

/**
 * Replaces the note about the state of a version in the doc comment of its `createClient`: editors strike a Deprecated one
 * through, and Next says that it may change.
 *
 * @throws Error when `createClient` has no doc comment, or one without an example.
 */
export function withStateNote(code: string, version: string, state: State): string {
  const end = code.indexOf(FUNCTION);
  const start = code.lastIndexOf("/**\n", end);
  const comment = code.slice(start, end).replace(NOTE, "");
  if (start < 0 || !comment.includes(" *\n * @example"))
    throw new Error(`versions/${version}/index.ts: createClient needs a doc comment with an example`);
  return code.slice(0, start) + notes[state](comment, version) + code.slice(end);
}

const notes: Readonly<Record<State, (comment: string, version: string) => string>> = {
  Current: (comment) => comment,
  Next: (comment, version) => {
    const { earliest, latest } = releaseDates(version).current.from;
    const note = `This version is Next: it may change in incompatible ways until it becomes Current (${earliest} to ${latest}).`;
    return comment.replace(" *\n * @example", ` *\n * ${note}\n *\n * @example`);
  },
  Deprecated: (comment, version) => {
    const { earliest, latest } = releaseDates(version).removed;
    const note = `@deprecated The release between ${earliest} and ${latest} removes this version. Import a newer one.`;
    return comment.replace(/ \*\/$/, ` * ${note}\n */`);
  },
};
