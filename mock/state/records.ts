import type { SecuritySchemeName } from "../../src/contract/index.ts";

/** An organization: it owns endpoints, products and events. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly avatar_url: string | null;
}

/** A user, with the organizations that the user is a member of. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly avatar_url: string | null;
  readonly organization_ids: readonly string[];
}

/** A customer of an organization. */
export interface Customer {
  readonly id: string;
  readonly organization_id: string;
  readonly external_id: string | null;
  readonly email: string;
  readonly name: string | null;
}

/** An OAuth client that can ask for authorization. */
export interface OAuthClient {
  readonly created_at: string;
  readonly modified_at: string | null;
  readonly client_id: string;
  readonly client_name: string | null;
  readonly client_uri: string | null;
  readonly logo_uri: string | null;
  readonly tos_uri: string | null;
  readonly policy_uri: string | null;
  /** The scopes it asks for when a request names none. */
  readonly scopes: readonly string[];
  /** Whether it works with exactly one organization. */
  readonly requires_single_organization: boolean;
}

/** A product: whatever fields the test gave it, an id and an owner. */
export interface Product {
  readonly id: string;
  readonly organization_id: string;
  readonly [field: string]: unknown;
}

/** A webhook endpoint as the service keeps it; what leaves is cut to the version that processes the request. */
export interface WebhookEndpoint {
  readonly created_at: string;
  readonly modified_at: string | null;
  readonly id: string;
  readonly url: string;
  readonly name: string | null;
  readonly api_version: string;
  readonly format: "raw" | "discord" | "slack";
  readonly secret: string;
  readonly organization_id: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly uses_standard_webhook_signature: boolean;
}

/** Any JSON value (RFC 8259). */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A stored usage event: what was sent, and what the service added. */
export interface StoredEvent {
  readonly id: string;
  /** When the service received it. */
  readonly ingested_at: string;
  readonly organization_id: string;
  readonly name: string;
  /** As sent; the time of receipt when none was sent. */
  readonly timestamp: string;
  readonly metadata: Readonly<Record<string, JsonValue>>;
  readonly customer_id?: string;
  readonly external_customer_id?: string;
  readonly external_id?: string;
  readonly parent_id?: string;
  readonly member_id?: string;
  readonly external_member_id?: string;
}

/** A credential that was issued. */
export interface Credential {
  readonly token: string;
  readonly type: SecuritySchemeName;
  readonly scopes: readonly string[];
  /** The user behind an `oidc` or `pat` credential; null for an `oat`. */
  readonly user_id: string | null;
  /** The organization behind an `oat`; null for the others. */
  readonly organization_id: string | null;
  /** Milliseconds since 1970; null when it never expires. */
  readonly expires_at: number | null;
  readonly revoked: boolean;
}

/**
 * What became of an event: it waits for an attempt, an attempt succeeded, all of them failed, or there was nobody to
 * deliver it to any more because the endpoint had been disabled or deleted.
 */
export type EventStatus = "pending" | "succeeded" | "failed" | "skipped";

/** An event for one endpoint, with everything that was fixed when it was created. */
export interface EmittedEvent {
  /** The `webhook-id`. */
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: string;
  /** The endpoint's version when the event was created; redeliveries keep it. */
  readonly api_version: string;
  readonly created_at: string;
  /** The body of every delivery of this event. */
  readonly body: string;
  readonly status: EventStatus;
  /** How many attempts were made, those of redeliveries among them. */
  readonly attempts: number;
  /** How many attempts are left before the event counts as failed. */
  readonly attempts_left: number;
  /** When the next attempt is due; null when there will be none. */
  readonly next_attempt_at: string | null;
}

/** One attempt to deliver an event. */
export interface Delivery {
  /** The event's id and the number of the attempt, with a colon between them. */
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly type: string;
  /** Where it went: the endpoint's address at the time. */
  readonly url: string;
  /** Counts from 1 for each event; a redelivery goes on counting. */
  readonly attempt: number;
  readonly at: string;
  readonly status: "succeeded" | "failed";
  /** The headers that were sent, the signature among them; empty when nothing was sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The receiver's status; null when it gave none. */
  readonly response_status: number | null;
  /** The first 2,000 characters of the receiver's body; null when it gave none. */
  readonly response_body: string | null;
  /** Why the attempt failed, where no status says it; null otherwise. */
  readonly error: string | null;
  /** In milliseconds. */
  readonly duration: number;
}
