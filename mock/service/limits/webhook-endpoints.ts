import type { Assumptions } from "../../assumptions.ts";
import type { State } from "../../state/state.ts";
import type { Problem } from "../refusals.ts";
import { fieldsOf, type Limit } from "./limit.ts";
import { ownerProblems } from "./owner.ts";

/** The limits of a new endpoint. */
export const createEndpointLimit: Limit = (body, judgement) => [
  ...updateEndpointLimit(body, judgement),
  ...ownerProblems(fieldsOf(body)["organization_id"], ["body"], judgement),
];

/** The limits of a change of an endpoint. */
export const updateEndpointLimit: Limit = (body, { assumptions, state }) => {
  const { url, api_version: version } = fieldsOf(body);
  return [
    ...(typeof url === "string" ? urlProblems(url, assumptions) : []),
    ...(assumptions.unsupportedApiVersionStatus === 422 ? versionProblems(version, state) : []),
  ];
};

/** Reports a version that is not supported (specification, section 9.4; G-WHE-VER). */
export function versionProblems(version: unknown, { versions: { contracts } }: State): Problem[] {
  if (typeof version !== "string" || contracts.has(version)) return [];
  const msg = `Only supported API versions are accepted: ${[...contracts.keys()].join(", ")}`;
  return [{ loc: ["body", "api_version"], msg, type: "value_error", input: version }];
}

/** G-WHE-URL */
function urlProblems(url: string, { endpointUrl: { protocols, credentials } }: Assumptions): Problem[] {
  const report = (msg: string): Problem[] => [{ loc: ["body", "url"], msg, type: "value_error", input: url }];
  if (!URL.canParse(url)) return report("URL should be absolute");
  const parsed = new URL(url);
  if (!protocols.includes(parsed.protocol)) return report(`URL should start with ${protocols.join(" or ")}`);
  if (credentials === "reject" && (parsed.username || parsed.password)) {
    return report("URL should not hold credentials").map(({ input: _, ...problem }) => problem);
  }
  return [];
}
