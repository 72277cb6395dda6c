import type { Check } from "../check.ts";
import { authorizeChecks } from "./authorize.ts";
import { clientChecks } from "./clients.ts";
import { credentialChecks } from "./credentials.ts";
import { deliveryChecks } from "./deliveries.ts";
import { errorChecks } from "./errors.ts";
import { eventChecks } from "./events.ts";
import { limitChecks } from "./limits.ts";
import { productChecks } from "./products.ts";
import { retryChecks } from "./retries.ts";
import { unobservableChecks } from "./unobservable.ts";
import { versionChecks } from "./versions.ts";
import { webhookEndpointChecks } from "./webhook-endpoints.ts";

/** Every check, by the sections of the specification. */
export const checks: readonly Check[] = [
  ...errorChecks,
  ...webhookEndpointChecks,
  ...eventChecks,
  ...authorizeChecks,
  ...productChecks,
  ...credentialChecks,
  ...versionChecks,
  ...deliveryChecks,
  ...retryChecks,
  ...clientChecks,
  ...limitChecks,
  ...unobservableChecks,
];
