import { assumption, type Check, needing, rule, untried } from "../check.ts";

const PACKAGE = "a rule of the package, which its own tests check";
const RELEASE = "shows only when the service makes a quarterly release";

/** Rules that no request shows. */
const RULES: Readonly<Record<string, string>> = {
  "ENV-1": PACKAGE,
  "EVT-2": "no operation returns an event",
  "LIF-2": RELEASE,
  "LIF-3": RELEASE,
  "LIF-4": RELEASE,
  "LIF-5": RELEASE,
  "LIF-6": RELEASE,
  "LIF-7": RELEASE,
  "SEC-3": "no response needs to list the scopes",
  "DEL-5": "the versions describe no fields of data",
  "VER-2": "the versions of the package have the same contract",
  "CLI-1": PACKAGE,
  "CLI-2": PACKAGE,
  "UPG-1": PACKAGE,
  "UPG-2": PACKAGE,
};

const RETRY = "the attempts for one event may take hours";

/** Settings that no request shows, with the id of the assumption. */
const SETTINGS: readonly (readonly [id: string, name: string, reason: string])[] = [
  ["G-RATE", "rateLimit", "finding it would need a burst of requests, which may block the caller"],
  ["G-EVT-META", "metadata.objectKeys", "an object of another shape may be accepted"],
  ["G-WHE-URL", "deliverTo", "applies only to the mock, to protect your network"],
  ["G-WHE-SECRET", "minSecretLength", "a secret that is sent may replace the one that signs deliveries"],
  ["G-RETRY", "retry.attempts", RETRY],
  ["G-RETRY", "retry.timeout", RETRY],
  ["G-RETRY", "retry.firstDelay", RETRY],
  ["G-RETRY", "retry.maxDelay", RETRY],
  ["G-RETRY", "retry.jitter", RETRY],
  ["G-DISABLE", "disableAfter", `${RETRY}, and the service may email the organization`],
];

/** Rules and settings that no request shows. */
export const unobservableChecks: readonly Check[] = needing(
  { once: true },
  ...Object.entries(RULES).map(([id, reason]) => rule(id, untried(reason))),
  ...SETTINGS.map(([id, name, reason]) => assumption(id, name, null, untried(reason))),
);
