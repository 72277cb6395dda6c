import type { Contract } from "../../src/contract/index.ts";
import { describeValue } from "../../src/values/describe.ts";
import { validate } from "../validation/body-check.ts";
import { problemsOf, toRequirement } from "../validation/schema-problems.ts";
import type { State } from "./state.ts";

/** A response that contains a record. */
export interface Output {
  readonly operation: string;
  /** The place of the record in the response. */
  readonly place: readonly (string | number)[];
  /** Returns the part of the response that depends on the record. */
  answer(record: object): object;
}

/**
 * Rejects a record that no response could contain, by the supported contracts: Current first, then the others. The default
 * records are not checked, because a contract may require a field that only a test can set.
 *
 * @throws TypeError naming the field, the value, and the version where it is not Current.
 */
export function requireFit(name: string, record: object, outputs: readonly Output[], state: State): void {
  const { current, contracts } = state.versions;
  for (const version of state.defaults.client_id === "" ? [] : new Set([current, ...contracts.keys()])) {
    for (const output of outputs) {
      const problem = problemIn(output, record, contracts.get(version) as Contract);
      if (problem) throw new TypeError(`${name}: ${problem}${version === current ? "" : ` (version ${version})`}.`);
    }
  }
}

/** Returns the problem of a record in a response; problems in other parts of the response do not count. */
function problemIn({ operation, place, answer }: Output, record: object, contract: Contract): string | undefined {
  const body = contract.operations.find(({ id }) => id === operation)?.response.body;
  const given = answer(record);
  const issues = body && validate(body, given).issues;
  const problems = issues ? problemsOf(issues, given, []) : [];
  const problem = problems.find(({ loc }) => place.every((key, index) => loc[index] === key));
  if (!problem) return undefined;
  const field = problem.loc.slice(place.length).join(".");
  const received =
    problem.input === undefined || field === "secret" ? "" : `; received ${describeValue(problem.input)}`;
  return `${field && `\`${field}\` `}${toRequirement(problem.msg)}${received}`;
}
