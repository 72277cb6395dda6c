import type { Check, Unobservable } from "../check.ts";
import { errorChecks } from "./errors.ts";
import { eventChecks } from "./events.ts";
import { webhookEndpointChecks } from "./webhook-endpoints.ts";

/** Every check, by the sections of the specification. */
export const checks: readonly Check[] = [...webhookEndpointChecks, ...eventChecks, ...errorChecks];

/** Rules and assumptions that no request can show. */
export const unobservable: readonly Unobservable[] = [];
