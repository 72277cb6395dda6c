import type { Kind } from "../collection.ts";
import type { RecordPolicy } from "../record-policy.ts";
import type { State } from "../state.ts";
import { isUuid, isUuid4 } from "../uuid.ts";

/** Defines a kind of record of a mock. Fields that are left out get a default. */
export type KindOf<Record> = (state: State, policy: RecordPolicy) => Kind<Record, Partial<Record>>;

/** Applies changes to a record without a modification time. */
export function merge<Record>(record: Record, changes: Partial<Record>): Record {
  return { ...record, ...changes };
}

/** Returns the default of a nullable field: null, or the given text when the policy fills fields in (G-AUT-NULL). */
export function optional(text: string, { authorizeNulls }: RecordPolicy): string | null {
  return authorizeNulls === "null" ? null : text;
}

/** Throws unless the organization exists. */
export function requireOrganization(id: unknown, { tables }: State, kind: string): void {
  if (typeof id === "string" && tables.organizations.has(id)) return;
  throw new TypeError(`${kind}: unknown organization ${JSON.stringify(id)}.`);
}

/** Throws unless each field is a non-empty string. */
export function requireText(fields: Readonly<Record<string, unknown>>, kind: string): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "string" || value === "")
      throw new TypeError(`${kind}: \`${name}\` must be a non-empty string.`);
  }
}

/** Throws unless the id of a record is a UUID of any version (specification, section 2.2). */
export function requireUuid(id: unknown, kind: string): void {
  if (typeof id === "string" && isUuid(id)) return;
  throw new TypeError(`${kind}: \`id\` must be a UUID; received ${JSON.stringify(id)}.`);
}

/** Throws unless the id of a record is a UUID of version 4 (specification, section 2.1). */
export function requireUuid4(id: unknown, kind: string): void {
  if (typeof id === "string" && isUuid4(id)) return;
  throw new TypeError(`${kind}: \`id\` must be a version 4 UUID; received ${JSON.stringify(id)}.`);
}

const SHOULD = /^(?:Input|String|List|URL) should /;
const FIELD = /^Field (?:is )?/;

/** Rewords the `msg` of a 422 to follow the name of a field: `Input should be a valid string` to `must be a valid string`. */
export function toRequirement(msg: string): string {
  if (SHOULD.test(msg)) return msg.replace(SHOULD, "must ");
  return FIELD.test(msg) ? msg.replace(FIELD, "is ") : `is invalid: ${msg}`;
}
