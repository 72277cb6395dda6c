import { organizationsOf } from "../credentials.ts";
import type { Problem } from "../refusals.ts";
import type { Judgement, Loc } from "./limit.ts";

/** The organization that what is sent will belong to: the one named, else the credential's only one (G-EVT-ORG). */
export function ownerOf(named: unknown, { credential, state, assumptions }: Judgement): string | undefined {
  const reached = organizationsOf(credential, state);
  if (typeof named === "string") return reached.find((id) => id === named.toLowerCase());
  if (named !== undefined) return undefined;
  return reached.length === 1 || assumptions.ambiguousOrganization === "first" ? reached[0] : undefined;
}

/** Reports an organization that the credential does not reach, or that has to be named and is not. */
export function ownerProblems(named: unknown, loc: Loc, judgement: Judgement): Problem[] {
  if (ownerOf(named, judgement) !== undefined) return [];
  const place = [...loc, "organization_id"];
  if (named === undefined) return [{ loc: place, msg: "Field required", type: "missing" }];
  if (typeof named !== "string") return [];
  const msg = "The credential does not reach this organization";
  return [{ loc: place, msg, type: "value_error", input: named }];
}
