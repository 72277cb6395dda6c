import type { Assumptions } from "../../assumptions.ts";
import type { Kind } from "../collection.ts";
import type { State } from "../state.ts";

/** Makes a kind of record for a mock. Whatever a test leaves out gets a default. */
export type KindOf<Record> = (state: State, assumptions: Assumptions) => Kind<Record, Partial<Record>>;

/** Applies changes to a record that does not note when it was changed. */
export function merge<Record>(record: Record, changes: Partial<Record>): Record {
  return { ...record, ...changes };
}

/** A value that may be null: null, or the given text where nothing is to be null (G-AUT-NULL). */
export function optional(text: string, { authorizeNulls }: Assumptions): string | null {
  return authorizeNulls === "null" ? null : text;
}

/** Refuses an organization that does not exist. */
export function requireOrganization(id: string, { tables }: State, kind: string): void {
  if (!tables.organizations.has(id)) throw new TypeError(`${kind}: there is no organization "${id}".`);
}

/** Refuses fields that are no text, or an empty one. */
export function requireText(fields: Readonly<Record<string, unknown>>, kind: string): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "string" || value === "") throw new TypeError(`${kind}: ${name} must be a text, not empty.`);
  }
}
