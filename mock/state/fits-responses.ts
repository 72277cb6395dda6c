import type { Contract } from "../../src/contract/index.ts";
import { describeValue } from "../../src/values/describe.ts";
import { validate } from "../validation/body-schema.ts";
import { problemsOf, toRequirement } from "../validation/schema-problems.ts";
import type { State } from "./state.ts";

/** A response that contains a record. */
export interface ResponsePlace {
  readonly operation: string;
  /** The place of the record in the response. */
  readonly place: readonly (string | number)[];
  /** Returns the part of the response that depends on the record. */
  response(record: object): object;
}

/**
 * Rejects a record that no response could contain, by the supported contracts: Current first, then the others.
 *
 * @throws TypeError naming the field, the value, and the version where it is not Current.
 */
export function requireFitsResponses(
  name: string,
  record: object,
  responses: readonly ResponsePlace[],
  state: State,
): void {
  const { current, contracts } = state.versions;
  for (const version of new Set([current, ...contracts.keys()])) {
    for (const each of responses) {
      const problem = problemIn(each, record, contracts.get(version) as Contract);
      if (problem) throw new TypeError(`${name}: ${problem}${version === current ? "" : ` (version ${version})`}.`);
    }
  }
}

/** Returns the problem of a record in a response; problems in other parts of the response do not count. */
function problemIn(
  { operation, place, response }: ResponsePlace,
  record: object,
  contract: Contract,
): string | undefined {
  const body = contract.operations.find(({ id }) => id === operation)?.response.body;
  const given = response(record);
  const issues = body && validate(body, given).issues;
  const problems = issues ? problemsOf(issues, given, []) : [];
  const problem = problems.find(({ loc }) => place.every((key, index) => loc[index] === key));
  if (!problem) return undefined;
  const field = problem.loc.slice(place.length).join(".");
  const received =
    problem.input === undefined || field === "secret" ? "" : `; received ${describeValue(problem.input)}`;
  return `${field && `\`${field}\` `}${toRequirement(problem.msg)}${received}`;
}
