import type { Contract } from "../../src/contract/index.ts";
import { SECRET_PREFIX } from "../../src/webhooks/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { flag, text, textOrNull, texts, timestamp, timestampOrNull } from "../options/field-kinds.ts";
import type { FieldKind, Shape } from "../options/shape.ts";
import { problemsOf } from "../validation/schema-problems.ts";
import { validate } from "../validation/validate.ts";
import { formatTimestamp } from "./clock.ts";
import type { Kind } from "./collection.ts";
import { generateEndpointSecret, urlProblem } from "./endpoints.ts";
import { isUuid, isUuid4 } from "./ids.ts";
import type { Customer, OAuthClient, Organization, StoredProduct, StoredWebhookEndpoint, User } from "./records.ts";
import type { State } from "./state.ts";
import { requireScopes } from "./tokens.ts";

type ShapeOf<Record> = { readonly [Field in keyof Required<Record>]: FieldKind };

/** The fields of a record of each collection; products have any fields. */
export const shapes = {
  organizations: { id: text, slug: text, name: text, avatar_url: textOrNull } satisfies ShapeOf<Organization>,
  users: { id: text, email: text, avatar_url: textOrNull, organization_ids: texts } satisfies ShapeOf<User>,
  customers: {
    id: text,
    organization_id: text,
    external_id: textOrNull,
    email: text,
    name: textOrNull,
  } satisfies ShapeOf<Customer>,
  oauthClients: {
    created_at: timestamp,
    modified_at: timestampOrNull,
    client_id: text,
    client_name: textOrNull,
    client_uri: textOrNull,
    logo_uri: textOrNull,
    tos_uri: textOrNull,
    policy_uri: textOrNull,
    scopes: texts,
    requires_single_organization: flag,
  } satisfies ShapeOf<OAuthClient>,
  products: undefined,
  webhookEndpoints: {
    created_at: timestamp,
    modified_at: timestampOrNull,
    id: text,
    url: text,
    name: textOrNull,
    api_version: text,
    format: text,
    secret: text,
    organization_id: text,
    events: texts,
    enabled: flag,
    uses_standard_webhook_signature: flag,
  } satisfies ShapeOf<StoredWebhookEndpoint>,
} as const satisfies Readonly<Record<string, Shape | undefined>>;

export const organizationKind: KindOf<Organization> = (state) => ({
  name: "organization",
  fields: shapes.organizations,
  uuids: ["id"],
  key: ({ id }) => id,
  make: (given) => {
    const slug = given.slug ?? `organization-${state.tables.organizations.size + 1}`;
    const avatar_url = `https://organizations.example/${slug}.png`;
    return { id: state.ids.uuid(), slug, name: "Test Organization", avatar_url, ...given };
  },
  change: merge,
  check: ({ id, slug, name }) => {
    requireUuid4(id, "organization");
    requireText({ slug, name }, "organization");
  },
  fit: (organization) => requireFit("organization", organization, state),
});

export const userKind: KindOf<User> = (state) => ({
  name: "user",
  fields: shapes.users,
  uuids: ["id", "organization_ids"],
  key: ({ id }) => id,
  make: (given) => ({
    id: state.ids.uuid(),
    email: `user-${state.tables.users.size + 1}@example.com`,
    avatar_url: "https://users.example/avatar.png",
    organization_ids: [state.defaults.organization_id],
    ...given,
  }),
  change: merge,
  check: ({ id, email, organization_ids }) => {
    requireUuid4(id, "user");
    requireText({ email }, "user");
    for (const id of organization_ids) requireOrganization(id, state, "user");
  },
  fit: (user) => requireFit("user", user, state),
});

export const customerKind: KindOf<Customer> = (state) => ({
  name: "customer",
  fields: shapes.customers,
  uuids: ["id", "organization_id"],
  key: ({ id }) => id,
  make: (given) => ({
    id: state.ids.uuid(),
    organization_id: state.defaults.organization_id,
    external_id: null,
    email: `customer-${state.tables.customers.size + 1}@example.com`,
    name: null,
    ...given,
  }),
  change: merge,
  check: ({ id, email, organization_id }) => {
    requireUuid(id, "customer");
    requireText({ email }, "customer");
    requireOrganization(organization_id, state, "customer");
  },
});

export const oauthClientKind: KindOf<OAuthClient> = (state) => ({
  name: "OAuth client",
  fields: shapes.oauthClients,
  uuids: [],
  key: ({ client_id }) => client_id,
  make: (given) => ({
    created_at: formatTimestamp(state.clock.now()),
    modified_at: formatTimestamp(state.clock.now()),
    client_id: `client_${state.ids.alphanumeric(16)}`,
    client_name: "Test Client",
    client_uri: "https://client.example/",
    logo_uri: "https://client.example/logo.png",
    tos_uri: "https://client.example/terms",
    policy_uri: "https://client.example/privacy",
    scopes: ["openid", "profile", "email"],
    requires_single_organization: false,
    ...given,
  }),
  change: (record, changes) => ({ ...record, ...changes, modified_at: formatTimestamp(state.clock.now()) }),
  check: ({ client_id, scopes }) => {
    requireText({ client_id }, "OAuth client");
    requireScopes(scopes, state, "OAuth client");
  },
  fit: (client) => requireFit("OAuth client", client, state),
});

export const productKind: KindOf<StoredProduct> = (state) => ({
  name: "product",
  fields: shapes.products,
  uuids: ["id", "organization_id"],
  key: ({ id }) => id,
  make: (given) => ({
    id: state.ids.uuid(),
    organization_id: state.defaults.organization_id,
    created_at: formatTimestamp(state.clock.now()),
    modified_at: null,
    name: `Product ${state.tables.products.size + 1}`,
    ...given,
  }),
  change: (record, changes) =>
    ({ ...record, ...changes, modified_at: formatTimestamp(state.clock.now()) }) as StoredProduct,
  check: ({ id, organization_id }) => {
    requireUuid4(id, "product");
    requireOrganization(organization_id, state, "product");
  },
  fit: (product) => requireFit("product", product, state),
});

export const webhookEndpointKind: KindOf<StoredWebhookEndpoint> = (state, policy) => ({
  name: "webhook endpoint",
  fields: shapes.webhookEndpoints,
  uuids: ["id", "organization_id"],
  key: ({ id }) => id,
  make: (given) => {
    const standard = given.uses_standard_webhook_signature ?? true;
    return {
      created_at: formatTimestamp(state.clock.now()),
      modified_at: null,
      id: state.ids.uuid(),
      url: defaultUrl(policy),
      name: null,
      api_version: state.versions.current,
      format: "raw",
      secret: generateEndpointSecret(state.ids, standard),
      organization_id: state.defaults.organization_id,
      events: [...current(state).webhookEventTypes],
      enabled: true,
      uses_standard_webhook_signature: standard,
      ...given,
    };
  },
  change: (record, changes) => ({ ...record, ...changes, modified_at: formatTimestamp(state.clock.now()) }),
  check: (endpoint) => {
    requireUuid4(endpoint.id, "webhook endpoint");
    requireUrl(endpoint.url, policy, state);
    requireOrganization(endpoint.organization_id, state, "webhook endpoint");
    requirePrefix(endpoint.secret);
    const { contracts, removed } = state.versions;
    if (contracts.has(endpoint.api_version) || removed.has(endpoint.api_version)) return;
    const expected = [...contracts.keys(), ...removed.keys()].join(", ");
    const problem = `"${endpoint.api_version}" is not supported; expected one of: ${expected}`;
    throw new TypeError(`webhook endpoint: \`api_version\` ${problem}.`);
  },
  fit: (endpoint) => requireFit("webhook endpoint", endpoint, state),
});

function current({ versions }: State): Contract {
  return versions.contracts.get(versions.current) as Contract;
}

/** Throws unless a secret has its fixed prefix (specification, section 2.1). The message does not contain the secret. */
function requirePrefix(secret: string): void {
  if (secret.startsWith(SECRET_PREFIX)) return;
  throw new TypeError(`webhook endpoint: \`secret\` must start with "${SECRET_PREFIX}".`);
}

/** Throws unless the service accepts the URL. */
function requireUrl(url: string, policy: Assumptions, { own }: State): void {
  const problem = urlProblem(url, policy, own);
  if (problem) throw new TypeError(`webhook endpoint: \`url\` ${toRequirement(problem)}.`);
}

/** Returns the default URL of an endpoint: on this machine if the service accepts such URLs. */
function defaultUrl(policy: Assumptions): string {
  const hosts = ["localhost:3000", "receiver.example"];
  const protocols = ["http:", ...policy.endpointUrl.protocols];
  const urls = hosts.flatMap((host) => protocols.map((protocol) => `${protocol}//${host}/webhooks`));
  return urls.find((url) => urlProblem(url, policy) === undefined) ?? (urls[0] as string);
}

/** Defines a kind of record of a mock. Fields that are left out get a default. */
export type KindOf<Record> = (state: State, policy: Assumptions) => Kind<Record, Partial<Record>>;

/** Applies changes to a record without a modification time. */
function merge<Record>(record: Record, changes: Partial<Record>): Record {
  return { ...record, ...changes };
}

/** Throws unless the organization exists. */
function requireOrganization(id: unknown, { tables }: State, kind: string): void {
  if (typeof id === "string" && tables.organizations.has(id)) return;
  throw new TypeError(`${kind}: unknown organization ${JSON.stringify(id)}.`);
}

/** Throws unless each field is a non-empty string. */
function requireText(fields: Readonly<Record<string, unknown>>, kind: string): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "string" || value === "")
      throw new TypeError(`${kind}: \`${name}\` must be a non-empty string.`);
  }
}

/** Throws unless the id of a record is a UUID of any version (specification, section 2.2). */
function requireUuid(id: unknown, kind: string): void {
  if (typeof id === "string" && isUuid(id)) return;
  throw new TypeError(`${kind}: \`id\` must be a UUID; received ${JSON.stringify(id)}.`);
}

/** Throws unless the id of a record is a UUID of version 4 (specification, section 2.1). */
function requireUuid4(id: unknown, kind: string): void {
  if (typeof id === "string" && isUuid4(id)) return;
  throw new TypeError(`${kind}: \`id\` must be a version 4 UUID; received ${JSON.stringify(id)}.`);
}

const SHOULD = /^(?:Input|String|List|URL) should /;
const FIELD = /^Field (?:is )?/;

/** Rewords the `msg` of a 422 to follow the name of a field: `Input should be a valid string` to `must be a valid string`. */
function toRequirement(msg: string): string {
  if (SHOULD.test(msg)) return msg.replace(SHOULD, "must ");
  return FIELD.test(msg) ? msg.replace(FIELD, "is ") : `is invalid: ${msg}`;
}

/** A response that contains a record. */
interface Output {
  readonly operation: string;
  readonly place: readonly (string | number)[];
  /** Returns the part of the response that depends on the record. */
  answer(record: object): object;
}

/** The responses that contain a record of each kind. Kinds that no response contains are left out. */
const outputs = {
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
function requireFit(kind: keyof typeof outputs, record: object, { versions, defaults }: State): void {
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
