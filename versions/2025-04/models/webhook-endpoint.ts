import * as z from "zod/mini";
import type { ZodSchema } from "../../../src/contract/index.ts";
import { type Timestamp, TimestampSchema } from "./timestamp.ts";
import type { WebhookEventType } from "./webhook-event-type.ts";
import { WebhookEventTypeSchema } from "./webhook-event-type-schema.ts";

/** Lists the payload formats of a webhook endpoint. */
export const WEBHOOK_FORMATS = ["raw", "discord", "slack"] as const;

/** The payload format of a webhook endpoint. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const WebhookFormatSchema: ZodSchema<WebhookFormat> = z.enum(WEBHOOK_FORMATS);

/** A registered receiver of event notifications (specification, section 2.1). */
export interface WebhookEndpoint {
  /** The time at which the endpoint was created. */
  created_at: Timestamp;
  /** The time at which the endpoint was last modified; null if never. */
  modified_at: Timestamp | null;
  /** The endpoint's identifier, a version 4 UUID. */
  id: string;
  /** The address that receives the events. */
  url: string;
  /** A label to organize and identify the endpoint. It may be null or absent. */
  name?: string | null;
  /** The API version of the payloads, `YYYY-MM`. It is independent of the version of requests. */
  api_version: string;
  /** The payload format. */
  format: WebhookFormat;
  /** The secret that signs the deliveries. Keep it out of logs and browsers. */
  secret: string;
  /** The organization that owns the endpoint, a version 4 UUID. */
  organization_id: string;
  /** The types of event that are sent to the endpoint. */
  events: WebhookEventType[];
  /** Whether the endpoint receives events. */
  enabled: boolean;
  /**
   * Whether deliveries are signed by the Standard Webhooks scheme. If not, they are signed by the original scheme, an HMAC
   * keyed with the UTF-8 bytes of the complete secret. No request can set it.
   */
  readonly uses_standard_webhook_signature: boolean;
}

export const WebhookEndpointSchema: ZodSchema<WebhookEndpoint> = z.object({
  created_at: TimestampSchema,
  modified_at: z.nullable(TimestampSchema),
  id: z.uuidv4(),
  url: z.string(),
  name: z.exactOptional(z.nullable(z.string())),
  api_version: z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/)),
  format: WebhookFormatSchema,
  secret: z.string(),
  organization_id: z.uuidv4(),
  events: z.array(WebhookEventTypeSchema),
  enabled: z.boolean(),
  uses_standard_webhook_signature: z.readonly(z.boolean()),
});

/**
 * The fields of a new webhook endpoint: `url`, `format`, `events` and optionally `api_version` (specification,
 * section 2.1). `name` and `organization_id` are assumptions (G-WHE-PATHS).
 */
export interface WebhookEndpointCreate {
  /** The address that receives the events: absolute, `https:` or `http:`, without credentials (G-WHE-URL). */
  url: string;
  /** The payload format. */
  format: WebhookFormat;
  /** The types of event to send. */
  events: readonly WebhookEventType[];
  /** The API version of the payloads; must be supported. Defaults to Current. */
  api_version?: string | undefined;
  /** A label to organize and identify the endpoint. */
  name?: string | null | undefined;
  /** The owner. Required for a personal access token of a user with several organizations. */
  organization_id?: string | undefined;
}

export const WebhookEndpointCreateSchema: ZodSchema<WebhookEndpointCreate> = z.object({
  url: z.string(),
  format: WebhookFormatSchema,
  events: z.array(WebhookEventTypeSchema),
  api_version: z.exactOptional(z.string()),
  name: z.exactOptional(z.nullable(z.string())),
  organization_id: z.exactOptional(z.uuidv4()),
});

/** Changes to a webhook endpoint. Omitted fields keep their values (G-WHE-PATHS). */
export interface WebhookEndpointUpdate {
  /** The address that receives the events: absolute, `https:` or `http:`, without credentials (G-WHE-URL). */
  url?: string | undefined;
  /** A label to organize and identify the endpoint; null removes it. */
  name?: string | null | undefined;
  /** The payload format. */
  format?: WebhookFormat | undefined;
  /** The types of event to send. */
  events?: readonly WebhookEventType[] | undefined;
  /** Whether the endpoint receives events. */
  enabled?: boolean | undefined;
  /** The API version of the payloads of later events; must be supported. */
  api_version?: string | undefined;
}

export const WebhookEndpointUpdateSchema: ZodSchema<WebhookEndpointUpdate> = z.object({
  url: z.exactOptional(z.string()),
  name: z.exactOptional(z.nullable(z.string())),
  format: z.exactOptional(WebhookFormatSchema),
  events: z.exactOptional(z.array(WebhookEventTypeSchema)),
  enabled: z.exactOptional(z.boolean()),
  api_version: z.exactOptional(z.string()),
});
