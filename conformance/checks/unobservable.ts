import { type Check, unobservable } from "../check.ts";

const PACKAGE = "a rule of the package, which its own tests check";
const RELEASE = "shows only when the service makes a quarterly release";

const RULES: Readonly<Record<string, string>> = {
  "ENV-1": PACKAGE,
  "EVT-2": "no operation returns an event",
  "LIF-2": RELEASE,
  "LIF-3": RELEASE,
  "LIF-4": RELEASE,
  "LIF-5": RELEASE,
  "LIF-6": RELEASE,
  "LIF-7": RELEASE,
  "DEL-5": "the versions describe no fields of data",
  "VER-2": "the versions of the package have the same contract",
  "CLI-1": PACKAGE,
  "CLI-2": PACKAGE,
  "UPG-1": PACKAGE,
  "UPG-2": PACKAGE,
};

/** Rules and assumptions that no request can show. */
export const unobservableChecks: readonly Check[] = [
  ...Object.entries(RULES).map(([id, reason]) => unobservable(id, reason)),
  unobservable("G-RATE", "finding it would need a burst of requests, which may block the caller", "rateLimit"),
  unobservable("G-BASE", "responses do not name the service's addresses", "baseUrls"),
  unobservable("G-WHE-URL", "applies only to the mock, to protect your network", "deliverTo"),
  unobservable("G-WHE-SECRET", "a secret that is sent may replace the one that signs deliveries", "minSecretLength"),
  ...["timeout", "firstDelay", "maxDelay", "jitter"].map((name) =>
    unobservable("G-RETRY", "the observed times include network delay and jitter", `retry.${name}`),
  ),
];
