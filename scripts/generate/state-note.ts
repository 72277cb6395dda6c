import { releaseDates } from "../../src/lifecycle/index.ts";

/** The states of the versions in the package, oldest version first. */
export const STATES = ["Deprecated", "Current", "Next"] as const;

/** The state of a version in the package. */
export type State = (typeof STATES)[number];

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
