import * as z from "zod/mini";
import type { ZodSchema } from "../../../src/contract/index.ts";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./webhook-event-type.ts";

// The list of the types has a file without zod, so that the receiver of webhooks does not load zod.
export const WebhookEventTypeSchema: ZodSchema<WebhookEventType> = z.enum(WEBHOOK_EVENT_TYPES);
