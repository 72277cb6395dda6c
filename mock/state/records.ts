import type { SecuritySchemeName } from "../../src/contract/index.ts";

/** An organization, which owns endpoints, products and events. */
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
  /** The scopes of an authorization request without scopes. */
  readonly scopes: readonly string[];
  /** Whether it works with exactly one organization. */
  readonly requires_single_organization: boolean;
}

/** A product. In addition to these fields, it has any fields that the test gave it. */
export interface StoredProduct {
  readonly id: string;
  readonly organization_id: string;
  readonly [field: string]: unknown;
}

/** A stored webhook endpoint. A response contains only the fields of the version that processes the request. */
export interface StoredWebhookEndpoint {
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

/** A stored usage event: the sent fields, and those that the service added. */
export interface StoredEvent {
  readonly id: string;
  /** The time at which the service received it. */
  readonly ingested_at: string;
  readonly organization_id: string;
  readonly name: string;
  /** As sent, or the time at which the service received it. */
  readonly timestamp: string;
  readonly metadata: Readonly<Record<string, JsonValue>>;
  readonly customer_id?: string;
  readonly external_customer_id?: string;
  readonly external_id?: string;
  readonly parent_id?: string;
  readonly member_id?: string;
  readonly external_member_id?: string;
}

/** An issued credential. */
export interface Credential {
  readonly token: string;
  readonly type: SecuritySchemeName;
  readonly scopes: readonly string[];
  /** The user behind an `oidc` or `pat` credential; null for an `oat`. */
  readonly user_id: string | null;
  /** The organization behind an `oat`; null for the others. */
  readonly organization_id: string | null;
  /** In milliseconds since 1970; null if it never expires. */
  readonly expires_at: number | null;
  readonly revoked: boolean;
}

/**
 * The status of an event: waiting for an attempt, delivered, failed after its last attempt, or skipped because its
 * endpoint was disabled or deleted. A delivered event counts as delivered again after a redelivery, whatever its outcome.
 */
export type EventStatus = "pending" | "succeeded" | "failed" | "skipped";

/** An event for one endpoint. Its payload and version are fixed when it is created. */
export interface EmittedEvent {
  /** The `webhook-id` of every delivery of this event. */
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: string;
  /** The endpoint's version when the event was created; redeliveries keep it. */
  readonly api_version: string;
  readonly created_at: string;
  /** The body of every delivery of this event. */
  readonly body: string;
  readonly status: EventStatus;
  /** Whether an attempt has succeeded. */
  readonly delivered: boolean;
  /** The number of attempts, including redeliveries. */
  readonly attempts: number;
  /**
   * The number of attempts that failed since the event was created. A redelivery of a pending event sets it to 0, and that of any
   * other event to one less than the maximum number of attempts.
   */
  readonly failures: number;
  /** The number of attempts left before the event counts as failed. */
  readonly attempts_left: number;
  /** The time of the next attempt; null if there is none. */
  readonly next_attempt_at: string | null;
}

/** One attempt to deliver an event. */
export interface Delivery {
  /** The event's id, a colon, and the number of the attempt. */
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly type: string;
  /** The endpoint's URL at the time of the attempt. */
  readonly url: string;
  /** The number of the attempt for its event, from 1; redeliveries continue it. */
  readonly attempt: number;
  readonly at: string;
  readonly status: "succeeded" | "failed";
  /** The headers that were sent, including the signature; empty if nothing was sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status of the response; null if none arrived. */
  readonly response_status: number | null;
  /** The first 2,000 characters of the response body; null if it is empty or missing. */
  readonly response_body: string | null;
  /** The reason for a failure that the response status does not explain; null otherwise. */
  readonly error: string | null;
  /** In milliseconds. */
  readonly duration: number;
}
