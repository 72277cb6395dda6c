// Written by `npm run generate` from the contracts in versions/.
import type { WebhookEventType as CurrentEventType, Scope as CurrentScope } from "#current/names";
import type { WebhookEventType as DeprecatedEventType, Scope as DeprecatedScope } from "#deprecated/names";
import type { WebhookEventType as NextEventType, Scope as NextScope } from "#next/names";

/** The id of an operation of the package's contracts, for example `events:ingest`. */
export type OperationId =
  | "webhooks:get_webhook_endpoint"
  | "webhooks:create_webhook_endpoint"
  | "webhooks:update_webhook_endpoint"
  | "events:ingest"
  | "oauth2:authorize"
  | "products:list";

/** The type of a webhook event, for example `order.paid`. */
export type EventTypeName = DeprecatedEventType | CurrentEventType | NextEventType;

/** The name of a scope, for example `events:write`. */
export type ScopeName = DeprecatedScope | CurrentScope | NextScope;

/** The names that a mock knows. Each may be any string if it has contracts of its own. */
export interface MockNames {
  readonly operation: string;
  readonly eventType: string;
  readonly scope: string;
}

/** The names of the package's contracts. */
export interface PackagedNames extends MockNames {
  readonly operation: OperationId;
  readonly eventType: EventTypeName;
  readonly scope: ScopeName;
}
