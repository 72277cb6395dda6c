import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { Mock } from "../../mock/api/mock.ts";
import type { AssumptionChoices } from "../../mock/assumptions/assumptions.ts";
import { readAssumptions } from "../../mock/assumptions/assumptions.ts";
import { COLLECTIONS, type CollectionName } from "../../mock/control/client.ts";
import { isObject, unknownName } from "../../mock/options/options.ts";
import type { Collection } from "../../mock/state/collection.ts";
import type { TokenInput } from "../../mock/state/tokens.ts";
import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { UsageError } from "../shared/arguments.ts";
import { readText } from "../shared/files.ts";
import { messageOf } from "../shared/terminal.ts";

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
 * @throws UsageError when the file is not valid; its message is one line that names the record and the field.
 */
export async function loadSeedFile(path: string, mock: Mock, stdin: Readable): Promise<readonly SeededToken[]> {
  const file = `--seed-data ${basename(path)}`;
  const data = await readObject("--seed-data", path, stdin);
  const names = [...Object.keys(COLLECTIONS), "tokens"];
  const unknown = Object.keys(data).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknownName("field", unknown, names)}`);
  const each = <Outcome>(name: string, make: (fields: Fields) => Outcome): Outcome[] => {
    const { [name]: list = [] } = data;
    if (!Array.isArray(list)) throw new UsageError(`${file}: ${name}: must be an array.`);
    return list.map((item: Fields, index) => {
      try {
        return make(isObject(item) ? resolved(item, mock) : item);
      } catch (error) {
        throw new UsageError(`${file}: ${name}[${index}]: ${messageOf(error)}`);
      }
    });
  };
  for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
    each(name, (fields) => (mock[name] as Collection<object, object>).create(fields));
  }
  return each("tokens", (fields) => issue(fields, mock));
}

/** Reads the JSON object in the file of an option. */
async function readObject(flag: string, path: string, stdin: Readable): Promise<Fields> {
  const text = await readText(`${flag} ${path}`, path, stdin);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${flag} ${basename(path)}: not valid JSON: ${(error as Error).message}.`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${flag} ${basename(path)}: must contain a JSON object.`);
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
export async function loadAssumptions(path: string, stdin: Readable): Promise<AssumptionChoices> {
  const given = await readObject("--assumptions", path, stdin);
  try {
    readAssumptions(given, `--assumptions ${basename(path)}`);
    return given;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
