import type { Problem } from "../../engine/refusals.ts";
import type { State } from "../../state/state.ts";
import { SECRET_IN_URL, urlProblem } from "../../validation/endpoint-url.ts";
import type { ProblemList } from "../../validation/problem-list.ts";
import { addEmptyProblem, fieldsOf, type Judgement, type Limit } from "./limit.ts";
import { ownerProblem } from "./owner.ts";

/** The limits of a new endpoint. */
export const createEndpointLimit: Limit = (body, judgement, problems) => {
  addFieldProblems(body, judgement, problems);
  const problem = ownerProblem(fieldsOf(body)["organization_id"], ["body"], judgement);
  if (problem) problems.add(problem);
};

/** The limits of a change of an endpoint. */
export const updateEndpointLimit: Limit = (body, judgement, problems) => {
  if (Object.keys(fieldsOf(body)).length === 0) addEmptyProblem(["body"], judgement, problems);
  addFieldProblems(body, judgement, problems);
};

function addFieldProblems(body: unknown, { assumptions, state }: Judgement, problems: ProblemList): void {
  const { url, api_version: version } = fieldsOf(body);
  const msg = typeof url === "string" ? urlProblem(url, assumptions, state.own) : undefined;
  if (msg !== undefined) {
    const problem = { loc: ["body", "url"], msg, type: "value_error" };
    problems.add(msg === SECRET_IN_URL ? problem : { ...problem, input: url });
  }
  if ((assumptions.unsupportedApiVersionStatus ?? 422) === 422) problems.addAll(versionProblems(version, state));
}

/** Reports a version that is not supported (specification, section 9.4; G-WHE-VER). */
export function versionProblems(version: unknown, { versions: { contracts } }: State): Problem[] {
  if (typeof version !== "string" || contracts.has(version)) return [];
  const msg = `Only supported API versions are accepted: ${[...contracts.keys()].join(", ")}`;
  return [{ loc: ["body", "api_version"], msg, type: "value_error", input: version }];
}
