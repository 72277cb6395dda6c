import type { Check } from "../check.ts";
import { credentialChecks } from "./credentials.ts";
import { deliveryChecks } from "./deliveries.ts";
import { errorChecks } from "./errors.ts";
import { eventChecks } from "./events.ts";
import { limitChecks } from "./limits.ts";
import { lookupChecks } from "./lookups.ts";
import { unobservableChecks } from "./unobservable.ts";
import { versionChecks } from "./versions.ts";
import { webhookEndpointChecks } from "./webhook-endpoints.ts";

/** Every check, by the sections of the specification. */
export const checks: readonly Check[] = [
  ...errorChecks,
  ...webhookEndpointChecks,
  ...eventChecks,
  ...lookupChecks,
  ...credentialChecks,
  ...versionChecks,
  ...deliveryChecks,
  ...limitChecks,
  ...unobservableChecks,
];
