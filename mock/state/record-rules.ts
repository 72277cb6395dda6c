import { SECRET_PREFIX } from "../../src/client/redact.ts";
import type { Contract } from "../../src/contract/index.ts";
import { isLoopback, parseUrl } from "../../src/values/urls.ts";
import { signingKey } from "../../src/webhooks/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { formatTimestamp } from "../clock/clock.ts";
import {
  anything,
  fieldType,
  flag,
  oneOf,
  orNull,
  type Shape,
  text,
  texts,
  unknownName,
} from "../options/field-types.ts";
import { isUuid, toRequirement } from "../validation/problems.ts";
import type { RecordRules } from "./collection.ts";
import type { IdGenerator } from "./ids.ts";
import type { Customer, OAuthClient, Organization, StoredProduct, StoredWebhookEndpoint, User } from "./records.ts";
import type { State } from "./state.ts";
import { requireScopes } from "./tokens.ts";

/** Defines the rules for records of one type. */
export type RulesOf<Item> = (
  state: State,
  assumptions: Assumptions,
) => RecordRules<Item> & { readonly fields: { readonly [Field in keyof Required<Item>]: Shape[string] } };

const matching = (name: string, pattern: RegExp) =>
  fieldType(name, (value) => text.fits(value) && pattern.test(value as string));

const filled = matching("a non-empty string", /./s);

/** A UUID of version 1 to 8, nil or max (G-EVT-REQ; RFC 9562, section 4), in its stored form (G-UUID-FORM). */
const uuid = fieldType(
  "a UUID in lower case",
  (id) => text.fits(id) && isUuid(id as string) && !/[A-F]/.test(id as string),
);

/** A UUID of version 4 (specification, section 2.1), in its stored form. */
const uuid4 = matching(
  "a version 4 UUID in lower case",
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** Every address of RFC 6531, as in the contracts. */
const email = matching("a valid email", /^[^\r\n]+@[^\r\n]+$/);

const secret = matching(`a string that starts with "${SECRET_PREFIX}"`, new RegExp(`^${SECRET_PREFIX}`));

/** A timestamp in the service's form (specification, section 2.1). */
const timestamp = matching(
  "a timestamp of the form YYYY-MM-DDThh:mm:ss.ffffffZ",
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
);

export const organizationRules: RulesOf<Organization> = ({ ids, tables }) => ({
  name: "organization",
  key: "id",
  fields: { id: uuid4, slug: filled, name: filled, avatar_url: orNull(text) },
  defaults: ({ slug = `organization-${tables.organizations.size + 1}` }) => ({
    id: ids.uuid(),
    slug,
    name: "Test Organization",
    avatar_url: `https://organizations.example/${slug}.png`,
  }),
});

export const userRules: RulesOf<User> = (state) => ({
  name: "user",
  key: "id",
  fields: { id: uuid4, email, avatar_url: orNull(text), organization_ids: texts },
  defaults: () => ({
    id: state.ids.uuid(),
    email: `user-${state.tables.users.size + 1}@example.com`,
    avatar_url: "https://users.example/avatar.png",
    organization_ids: [state.defaults.organization_id],
  }),
});

export const customerRules: RulesOf<Customer> = (state) => ({
  name: "customer",
  key: "id",
  fields: { id: uuid, organization_id: text, external_id: orNull(text), email, name: orNull(text) },
  defaults: () => ({
    id: state.ids.uuid(),
    organization_id: state.defaults.organization_id,
    external_id: null,
    email: `customer-${state.tables.customers.size + 1}@example.com`,
    name: null,
  }),
});

export const oauthClientRules: RulesOf<OAuthClient> = (state) => ({
  name: "OAuth client",
  key: "client_id",
  fields: {
    created_at: timestamp,
    modified_at: orNull(timestamp),
    client_id: filled,
    client_name: orNull(text),
    client_uri: orNull(text),
    logo_uri: orNull(text),
    tos_uri: orNull(text),
    policy_uri: orNull(text),
    scopes: texts,
    requires_single_organization: flag,
  },
  defaults: () => ({
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
  }),
  check: ({ scopes }) => requireScopes(scopes, state, "OAuth client"),
});

export const productRules: RulesOf<StoredProduct> = (state) => ({
  name: "product",
  key: "id",
  fields: { id: uuid4, organization_id: text },
  others: anything,
  defaults: () => ({
    id: state.ids.uuid(),
    organization_id: state.defaults.organization_id,
    created_at: formatTimestamp(state.clock.now()),
    modified_at: null,
    name: `Product ${state.tables.products.size + 1}`,
  }),
});

export const webhookEndpointRules: RulesOf<StoredWebhookEndpoint> = (state, assumptions) => ({
  name: "webhook endpoint",
  key: "id",
  fields: {
    created_at: timestamp,
    modified_at: orNull(timestamp),
    id: uuid4,
    url: text,
    name: orNull(text),
    api_version: text,
    format: oneOf("raw", "discord", "slack"),
    secret,
    organization_id: text,
    events: texts,
    enabled: flag,
    uses_standard_webhook_signature: flag,
  },
  defaults: (given) => endpointDefaults(state, assumptions, given),
  check: ({ url, api_version, events, secret, uses_standard_webhook_signature: isStandard }) => {
    requireSigning(secret, isStandard);
    const problem = urlProblem(url, assumptions);
    if (problem) throw new TypeError(`webhook endpoint: \`url\` ${toRequirement(problem)}.`);
    requireEventTypes(events, state, "webhook endpoint");
    const { contracts, removed } = state.versions;
    const known = [...contracts.keys(), ...removed.keys()];
    if (!known.includes(api_version))
      throw new TypeError(`webhook endpoint: ${unknownName("API version", api_version, known)}`);
  },
});

/** Returns the fields of an endpoint that a test or a request leaves out. */
export function endpointDefaults(
  { ids, clock, versions, defaults }: State,
  assumptions: Assumptions,
  { uses_standard_webhook_signature = true }: Partial<StoredWebhookEndpoint> = {},
): StoredWebhookEndpoint {
  return {
    created_at: formatTimestamp(clock.now()),
    modified_at: null,
    id: ids.uuid(),
    url: defaultUrl(assumptions),
    name: null,
    api_version: versions.current,
    format: "raw",
    secret: generateEndpointSecret(ids, uses_standard_webhook_signature),
    organization_id: defaults.organization_id,
    events: (versions.contracts.get(versions.current) as Contract).webhookEventTypes,
    enabled: true,
    uses_standard_webhook_signature,
  };
}

/** Returns the default URL of an endpoint: on this machine if the service accepts such URLs. */
function defaultUrl({ endpointUrl: { protocols, hosts } }: Assumptions): string {
  const protocol = protocols.includes("http:") ? "http:" : "https:";
  return `${protocol}//${hosts === "any" ? "localhost:3000" : "receiver.example"}/webhooks`;
}

/** Throws unless a secret can sign deliveries. */
function requireSigning(secret: string, isStandard: boolean): void {
  try {
    signingKey(secret, isStandard ? "standard" : "original");
  } catch (cause) {
    throw new TypeError(`webhook endpoint: \`secret\` cannot sign deliveries. ${(cause as Error).message}`, { cause });
  }
}

/** Throws unless a version, which may be a removed one, has each of the event types. */
function requireEventTypes(types: readonly string[], { versions }: State, name: string): void {
  const contracts = [...versions.contracts.values(), ...versions.removed.values()];
  const known = new Set(contracts.flatMap(({ webhookEventTypes }) => webhookEventTypes));
  const unknown = types.find((type) => !known.has(type));
  if (unknown !== undefined) throw new TypeError(`${name}: ${unknownName("event type", unknown, [...known])}`);
}

/** Generates the secret of an endpoint, for the Standard Webhooks scheme or the original one (G-WHE-SECRET). */
function generateEndpointSecret(ids: IdGenerator, standard: boolean): string {
  if (!standard) return SECRET_PREFIX + ids.alphanumeric(43);
  return SECRET_PREFIX + btoa(String.fromCharCode(...ids.bytes(32)));
}

/** Returns the problem with the URL of an endpoint (G-WHE-URL); undefined when there is none. */
export function urlProblem(
  url: string,
  { endpointUrl: { protocols, credentials, hosts, maxLength } }: Assumptions,
): string | undefined {
  const parsed = parseUrl(url);
  if (!parsed) return "URL should be absolute";
  if (url.length > (maxLength ?? url.length)) return `URL should have at most ${maxLength} characters`;
  if (!protocols.includes(parsed.protocol)) return `URL should start with ${protocols.join(" or ")}`;
  if (credentials === "reject" && (parsed.username || parsed.password)) return "URL should not hold credentials";
  if (hosts === "public" && isPrivate(parsed.hostname)) return "URL should not point to a private network";
  if (hosts === "public" && parsed.hostname.includes("_")) return "URL should have a host without _";
  return undefined;
}

/**
 * Whether a host of a `URL` belongs to this machine or to a private network, by its name or address. Names are
 * not looked up.
 */
function isPrivate(hostname: string): boolean {
  return isLoopback(hostname) || [...NAMES, ...IPV4, ...IPV6].some((pattern) => pattern.test(hostname));
}

/** RFC 6761, section 6.3; RFC 6762, section 3. */
const NAMES = [/(^|\.)localhost\.$/, /\.local\.?$/];

/** RFC 6890, section 2.2.2: this host, private use, shared address space, loopback, link local. */
const IPV4 = [
  /^0\.\d+\.\d+\.\d+$/,
  /^10\.\d+\.\d+\.\d+$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
];

/** RFC 6890, section 2.2.3: loopback, unspecified, IPv4 in IPv6, unique local, link local. */
const IPV6 = [/^\[::1?\]$/, /^\[::ffff:/, /^\[f[cd]/, /^\[fe[89ab]/];

/**
 * Stores the organization, the user and the OAuth client that apply when a test names none. They are not checked against the
 * contracts, because a contract may require a field that only a test can set.
 */
export function createDefaultRecords(state: State, assumptions: Assumptions): void {
  const { tables, defaults } = state;
  const organization = organizationRules(state, assumptions).defaults({ slug: "default" });
  tables.organizations.set(organization.id, organization);
  defaults.organization_id = organization.id;
  const user = userRules(state, assumptions).defaults({});
  tables.users.set(user.id, user);
  defaults.user_id = user.id;
  const client = oauthClientRules(state, assumptions).defaults({});
  tables.oauthClients.set(client.client_id, client);
  defaults.client_id = client.client_id;
}
