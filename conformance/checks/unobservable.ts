import { entryOf, type Unobservable } from "../check.ts";

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
  "DEL-8": "no request creates an endpoint that uses it",
  "VER-2": "the versions of the package have the same contract",
  "CLI-1": PACKAGE,
  "CLI-2": PACKAGE,
  "UPG-1": PACKAGE,
  "UPG-2": PACKAGE,
};

const ASSUMPTIONS: readonly (readonly [id: string, name: string, reason: string])[] = [
  ["G-BASE", "baseUrls", "responses do not name the service's addresses"],
  ["G-WHE-URL", "deliverTo", "applies only to the mock, to protect your network"],
  ["G-RETRY", "retry.timeoutMs", "the observed time of a timeout includes network delay"],
  ["G-REMOVED", "removedVersions", RELEASE],
];

/** Rules and assumptions that no request can show. */
export const unobservable: readonly Unobservable[] = [
  ...Object.entries(RULES).map(([id, reason]) => {
    const [section, title] = entryOf(id);
    return { kind: "rule", id, section, title, reason } as const;
  }),
  ...ASSUMPTIONS.map(([id, name, reason]) => {
    return { kind: "assumption", id, section: entryOf(id)[0], name, reason } as const;
  }),
];
