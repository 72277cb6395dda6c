import type { Assumptions } from "../../assumptions.ts";
import type { State } from "../../state/state.ts";
import { SECRET_IN_URL, urlProblem } from "../endpoint-url.ts";
import type { Problem } from "../refusals.ts";
import { emptyProblems, fieldsOf, type Judgement, type Limit } from "./limit.ts";
import { ownerProblems } from "./owner.ts";

/** The limits of a new endpoint. */
export const createEndpointLimit: Limit = (body, judgement) => [
  ...fieldProblems(body, judgement),
  ...ownerProblems(fieldsOf(body)["organization_id"], ["body"], judgement),
];

/** The limits of a change of an endpoint. */
export const updateEndpointLimit: Limit = (body, judgement) => [
  ...(Object.keys(fieldsOf(body)).length === 0 ? emptyProblems(["body"], judgement) : []),
  ...fieldProblems(body, judgement),
];

function fieldProblems(body: unknown, { assumptions, state }: Judgement): Problem[] {
  const { url, api_version: version } = fieldsOf(body);
  return [
    ...(typeof url === "string" ? urlProblems(url, assumptions) : []),
    ...(assumptions.unsupportedApiVersionStatus === 422 ? versionProblems(version, state) : []),
  ];
}

/** Reports a version that is not supported (specification, section 9.4; G-WHE-VER). */
export function versionProblems(version: unknown, { versions: { contracts } }: State): Problem[] {
  if (typeof version !== "string" || contracts.has(version)) return [];
  const msg = `Only supported API versions are accepted: ${[...contracts.keys()].join(", ")}`;
  return [{ loc: ["body", "api_version"], msg, type: "value_error", input: version }];
}

/** G-WHE-URL */
function urlProblems(url: string, assumptions: Assumptions): Problem[] {
  const msg = urlProblem(url, assumptions);
  if (msg === undefined) return [];
  const problem = { loc: ["body", "url"], msg, type: "value_error" };
  return [msg === SECRET_IN_URL ? problem : { ...problem, input: url }];
}
