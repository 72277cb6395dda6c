import type { Contract } from "../../../src/contract/index.ts";
import { problemsOf } from "../../validation/schema-problems.ts";
import { validate } from "../../validation/validate.ts";
import type { State } from "../state.ts";
import { toRequirement } from "./kind.ts";

/** A response that contains a record. */
export interface Output {
  readonly operation: string;
  readonly place: readonly (string | number)[];
  /** Returns the part of the response that depends on the record. */
  answer(record: object): object;
}

/** The responses that contain a record of each kind. Kinds that no response contains are left out. */
export const outputs = {
  user: [{ operation: "oauth2:authorize", place: ["sub"], answer: (sub) => ({ sub_type: "user", sub }) }],
  organization: [
    { operation: "oauth2:authorize", place: ["organizations", 0], answer: (record) => ({ organizations: [record] }) },
    { operation: "oauth2:authorize", place: ["sub"], answer: (sub) => ({ sub_type: "organization", sub }) },
  ],
  "OAuth client": [{ operation: "oauth2:authorize", place: ["client"], answer: (client) => ({ client }) }],
  product: [{ operation: "products:list", place: ["items", 0], answer: (record) => ({ items: [record] }) }],
  "webhook endpoint": ["get", "create", "update"].map((verb) => ({
    operation: `webhooks:${verb}_webhook_endpoint`,
    place: [],
    answer: (record: object) => record,
  })),
} as const satisfies Readonly<Record<string, readonly Output[]>>;

/**
 * Rejects a record that no response could contain, by the supported contracts: Current first, then the others. The default
 * records are not checked, because a contract may require a field that only a test can set.
 *
 * @throws TypeError naming the field, the value, and the version where it is not Current.
 */
export function requireFit(kind: keyof typeof outputs, record: object, { versions, defaults }: State): void {
  if (defaults.client_id === "") return;
  const { current, contracts } = versions;
  for (const version of new Set([current, ...contracts.keys()])) {
    for (const output of outputs[kind] as readonly Output[]) {
      const problem = problemIn(output, record, contracts.get(version) as Contract);
      if (problem) throw new TypeError(`${kind}: ${problem}${version === current ? "" : ` (version ${version})`}.`);
    }
  }
}

/** Returns the problem of a record in a response; problems in other parts of the response do not count. */
function problemIn({ operation, place, answer }: Output, record: object, contract: Contract): string | undefined {
  const body = contract.operations.find(({ id }) => id === operation)?.response.body;
  const given = answer(record);
  const issues = body && validate(body, given).issues;
  if (!issues) return undefined;
  const problem = problemsOf(issues, given, []).find(({ loc }) => place.every((key, index) => loc[index] === key));
  if (!problem) return undefined;
  const field = problem.loc.slice(place.length).join(".");
  const subject = field === "" ? "" : `\`${field}\` `;
  return `${subject}${toRequirement(problem.msg)}${field === "secret" ? "" : receivedIn(problem)}`;
}

const MAX_SHOWN = 100;

function receivedIn({ input }: { readonly input?: unknown }): string {
  const text = input === undefined ? undefined : JSON.stringify(input);
  return text === undefined || text.length > MAX_SHOWN ? "" : `; received ${text}`;
}
