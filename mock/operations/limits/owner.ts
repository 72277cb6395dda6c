import { organizationsOf } from "../../engine/credentials.ts";
import type { Problem } from "../../engine/refusals.ts";
import type { Judgement, Loc } from "./limit.ts";

/** The organization that what is sent will belong to: the one named, else the credential's only one (G-EVT-ORG). */
export function ownerOf(named: unknown, { credential, state, assumptions }: Judgement): string | undefined {
  const reached = organizationsOf(credential, state);
  if (typeof named === "string") return reached.find((id) => id === named.toLowerCase());
  if (named !== undefined) return undefined;
  return reached.length === 1 || assumptions.ambiguousOrganization === "first" ? reached[0] : undefined;
}

/** Reports an organization that the credential does not reach, that must be named and is not, or that must not be. */
export function ownerProblem(named: unknown, loc: Loc, judgement: Judgement): Problem | undefined {
  const { credential, assumptions } = judgement;
  const rule = assumptions.organizationField[credential.type];
  const place = [...loc, "organization_id"];
  if (named === undefined) {
    const isNeeded = rule === "required" || ownerOf(named, judgement) === undefined;
    return isNeeded ? { loc: place, msg: "Field required", type: "missing" } : undefined;
  }
  if (typeof named !== "string") return undefined;
  if (rule === "forbidden") return { loc: place, msg: NOT_ALLOWED, type: "value_error", input: named };
  if (ownerOf(named, judgement) !== undefined) return undefined;
  const msg = "The credential does not reach this organization";
  return { loc: place, msg, type: "value_error", input: named };
}

const NOT_ALLOWED = "organization_id is not allowed with an access token that belongs to an organization";
