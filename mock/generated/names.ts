// Written by `npm run generate` from the contracts in versions/.
import type { Scope as CurrentScope } from "#current/scopes";
import type { WebhookEventType as CurrentEventType } from "#current/webhook-event-types";
import type { Scope as DeprecatedScope } from "#deprecated/scopes";
import type { WebhookEventType as DeprecatedEventType } from "#deprecated/webhook-event-types";
import type { Scope as NextScope } from "#next/scopes";
import type { WebhookEventType as NextEventType } from "#next/webhook-event-types";

/** The id of an operation of the package's contracts. */
export type OperationId =
  | "webhooks:get_webhook_endpoint"
  | "webhooks:create_webhook_endpoint"
  | "webhooks:update_webhook_endpoint"
  | "events:ingest"
  | "oauth2:authorize"
  | "products:list";

/** The id of an operation, for example `events:ingest`. */
export type OperationName = OperationId | (string & Record<never, never>);

/** The type of a webhook event, for example `order.paid`. */
export type EventTypeName = DeprecatedEventType | CurrentEventType | NextEventType | (string & Record<never, never>);

/** The name of a scope, for example `events:write`. */
export type ScopeName = DeprecatedScope | CurrentScope | NextScope | (string & Record<never, never>);
