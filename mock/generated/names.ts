// Written by `npm run generate` from the contracts in versions/.
import type { Scope as Scope202410 } from "../../versions/2024-10/scopes.ts";
import type { WebhookEventType as EventType202410 } from "../../versions/2024-10/webhook-event-types.ts";
import type { Scope as Scope202501 } from "../../versions/2025-01/scopes.ts";
import type { WebhookEventType as EventType202501 } from "../../versions/2025-01/webhook-event-types.ts";
import type { Scope as Scope202504 } from "../../versions/2025-04/scopes.ts";
import type { WebhookEventType as EventType202504 } from "../../versions/2025-04/webhook-event-types.ts";

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
export type EventTypeName = EventType202410 | EventType202501 | EventType202504 | (string & Record<never, never>);

/** The name of a scope, for example `events:write`. */
export type ScopeName = Scope202410 | Scope202501 | Scope202504 | (string & Record<never, never>);
