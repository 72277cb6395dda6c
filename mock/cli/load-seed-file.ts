import { basename } from "node:path";
import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { readFile } from "../../terminal/read-file.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import type { Mock } from "../api/mock.ts";
import { type CollectionName, collections } from "../control/routes/collections.ts";
import { problemOf, type Shape } from "../options/shape.ts";
import type { Collection } from "../state/collection.ts";
import { shapes } from "../state/kinds/shapes.ts";
import { TOKEN_INPUT, type TokenInput } from "../state/tokens.ts";

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
    const line = `--seed-data ${basename(path)}: ${place}${place && ": "}${problem}`;
    throw new UsageError(line.replaceAll(CONTROL_CHARACTERS, " "));
  };
  const data = parse(readFile("--seed-data", path), fail);
  const names = [...Object.keys(collections), "tokens"];
  const unknown = Object.keys(data).find((name) => !names.includes(name));
  if (unknown !== undefined) fail(unknown, `unknown field; expected one of: ${names.join(", ")}.`);
  const each = <Outcome>(name: string, shape: Shape | undefined, make: (fields: Fields) => Outcome): Outcome[] =>
    listOf(data[name], name, fail).map((item, index) => {
      const place = `${name}[${index}]`;
      const problem = problemOf(item, shape);
      if (problem) fail(problem.field ? `${place}.${problem.field}` : place, problem.text);
      return attempt(() => make(resolved(item as Fields, mock)), place, fail);
    });
  for (const name of Object.keys(collections) as CollectionName[]) {
    each(name, shapes[name], (fields) => (mock[name] as Collection<object, object>).create(fields));
  }
  return each("tokens", TOKEN_INPUT, (fields) => issue(fields, mock));
}

/** Replaced in messages, which may quote the file: each error is one line. */
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** Some editors write it at the start of a file. JSON does not allow it. */
const BYTE_ORDER_MARK = /^\uFEFF/;

type Fail = (place: string, problem: string) => never;

function parse(text: string, fail: Fail): Fields {
  const value = parseJson(text.replace(BYTE_ORDER_MARK, ""), fail);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  return fail("", "must contain a JSON object with arrays of records.");
}

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail("", `not valid JSON: ${(error as Error).message}.`);
  }
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
    const problem = (error as Error).message.replace(/^[\w ]+: /, "");
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
