import { basename } from "node:path";
import type { Mock } from "../../mock/api/mock.ts";
import type { AssumptionChoices } from "../../mock/assumptions/assumptions.ts";
import { readAssumptions } from "../../mock/assumptions/assumptions.ts";
import { type CollectionName, collections } from "../../mock/control/collections.ts";
import { isObject, unknownName } from "../../mock/options/options.ts";
import type { Collection } from "../../mock/state/collection.ts";
import type { TokenInput } from "../../mock/state/tokens.ts";
import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { describeValue } from "../../src/values/describe.ts";
import { readFile, UsageError } from "../shared/arguments.ts";
import { fullMessage } from "../shared/output.ts";

/** A token of the seed file. */
export interface SeededToken {
  readonly type: SecuritySchemeName;
  readonly token: string;
  /** The slug of the organization or the email of the user behind it. */
  readonly owner: string;
}

/** The fields of one item of a seed file. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Creates the records and tokens of a seed file.
 *
 * @throws UsageError when the file is not valid; its message is one line that names the field.
 */
export function loadSeedFile(path: string, mock: Mock): readonly SeededToken[] {
  const fail = (place: string, problem: string): never => {
    throw new UsageError(`--seed-data ${basename(path)}: ${place}${place && ": "}${problem}`);
  };
  const data = parseObject("--seed-data", path, "must contain a JSON object with arrays of records.");
  const names = [...Object.keys(collections), "tokens"];
  const unknown = Object.keys(data).find((name) => !names.includes(name));
  if (unknown !== undefined) fail("", unknownName("field", unknown, names));
  const each = <Outcome>(name: string, make: (fields: Fields) => Outcome): Outcome[] =>
    listOf(data[name], name, fail).map((item, index) => {
      const place = `${name}[${index}]`;
      if (!isObject(item)) return fail(place, `must be an object; received ${describeValue(item)}.`);
      return attempt(() => make(resolved(item, mock)), place, fail);
    });
  for (const name of Object.keys(collections) as CollectionName[]) {
    each(name, (fields) => (mock[name] as Collection<object, object>).create(fields));
  }
  return each("tokens", (fields) => issue(fields, mock));
}

type Fail = (place: string, problem: string) => never;

/** Reads the JSON object in the file of an option. The byte order mark that some editors write is not JSON. */
function parseObject(flag: string, path: string, problem: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(readFile(`${flag} ${path}`, path).replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flag} ${basename(path)}: not valid JSON: ${(error as Error).message}.`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${flag} ${basename(path)}: ${problem}`);
}

function listOf(value: unknown, name: string, fail: Fail): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : fail(name, "must be an array.");
}

/** A problem that starts with the name of a field. */
const FIELD_PROBLEM = /^`([\w.]+)` (.+)$/s;

function attempt<Outcome>(make: () => Outcome, place: string, fail: Fail): Outcome {
  try {
    return make();
  } catch (error) {
    const { message, cause } = error as Error;
    const problem = fullMessage({ message: message.replace(/^[\w ]+: /, ""), cause });
    const [, field, rest] = FIELD_PROBLEM.exec(problem) ?? [];
    return field === undefined ? fail(place, problem) : fail(`${place}.${field}`, rest as string);
  }
}

/** Replaces the slug of an organization and the email of a user by their ids. */
function resolved(fields: Fields, mock: Mock): Fields {
  const organization = (named: unknown) => mock.organizations.list().find(({ slug }) => slug === named)?.id ?? named;
  const user = (named: unknown) => mock.users.list().find(({ email }) => email === named)?.id ?? named;
  const { organization_id, organization_ids } = fields;
  return {
    ...fields,
    ...("organization_id" in fields && { organization_id: organization(organization_id) }),
    ...(Array.isArray(organization_ids) && { organization_ids: organization_ids.map(organization) }),
    ...("organization" in fields && { organization: organization(fields["organization"]) }),
    ...("user" in fields && { user: user(fields["user"]) }),
  };
}

function issue(fields: Fields, mock: Mock): SeededToken {
  const input = fields as TokenInput;
  const token = mock.issueToken(input);
  const { type = "oat", organization, user } = input;
  const [defaultOrganization] = mock.organizations.list();
  const [defaultUser] = mock.users.list();
  const owner =
    type === "oat"
      ? (mock.organizations.get(organization as string) ?? defaultOrganization)?.slug
      : (mock.users.get(user as string) ?? defaultUser)?.email;
  return { type, token, owner: owner ?? "" };
}

/**
 * Reads the file of `--assumptions`: the same JSON that `createMock({ assumptions })` takes.
 *
 * @throws UsageError when the file is not valid; its message is one line that names the assumption.
 */
export function loadAssumptions(path: string): AssumptionChoices {
  const given = parseObject("--assumptions", path, "must contain a JSON object.");
  try {
    readAssumptions(given);
    return given;
  } catch (error) {
    const problem = (error as Error).message.replace(/^createMock: (assumptions(: )?)?/, "");
    throw new UsageError(`--assumptions ${basename(path)}: ${problem}`);
  }
}
