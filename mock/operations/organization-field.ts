import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { Problem } from "../validation/problems.ts";
import type { OperationContext } from "./operation.ts";

/** Returns the organizations that a credential has access to: its own, or its user's. */
export function organizationsOf(
  credential: Credential,
  { tables: { users, organizations } }: State,
): readonly string[] {
  if (credential.organization_id !== null) return [credential.organization_id];
  const named = users.get(credential.user_id ?? "")?.organization_ids ?? [];
  return [...new Set(named)].filter((id) => organizations.has(id));
}

/** Returns the organization that a new record belongs to: the named one, or the credential's only one (G-EVT-ORG). */
export function ownerOf(named: unknown, { credential, state }: OperationContext): string | undefined {
  const accessible = organizationsOf(credential, state);
  if (typeof named === "string") return accessible.find((id) => id === named.toLowerCase());
  return accessible.length === 1 ? accessible[0] : undefined;
}

/**
 * Returns the problem with `organization_id` in a body: missing, not allowed, or not accessible to the credential. The contract
 * reports another type first.
 */
export function organizationProblem(named: unknown, context: OperationContext): Omit<Problem, "loc"> | undefined {
  const { credential, assumptions } = context;
  const rule = assumptions.organizationField[credential.type];
  if (named === undefined) {
    const isNeeded = rule === "required" || ownerOf(named, context) === undefined;
    return isNeeded ? { msg: "Field required", type: "missing" } : undefined;
  }
  if (rule === "forbidden") return { msg: NOT_ALLOWED, type: "value_error", input: named };
  if (ownerOf(named, context) !== undefined) return undefined;
  return { msg: "The credential has no access to this organization", type: "value_error", input: named };
}

const NOT_ALLOWED = "organization_id is not allowed with an access token that belongs to an organization";
