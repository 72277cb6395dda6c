import { flag, text, textOrNull, texts, timestamp, timestampOrNull } from "../../options/field-kinds.ts";
import type { FieldKind, Shape } from "../../options/shape.ts";
import type { Customer, OAuthClient, Organization, StoredWebhookEndpoint, User } from "../records.ts";

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
