import type { Unobservable } from "../check.ts";

const PACKAGE = "a rule of the package, which its own tests check";
const RELEASE = "shows only when the service makes a quarterly release";
const RETRIES = "the attempts of an event may take days";

const RULES: readonly (readonly [id: string, section: string, title: string, reason: string])[] = [
  ["ENV-1", "1", "The client reaches production or sandbox by name; each has its own base URL.", PACKAGE],
  ["EVT-2", "2.2", "The fields of an event are carried as sent.", "no operation returns an event"],
  ["LIF-2", "3.2", "A quarterly release removes Deprecated, which stops accepting requests.", RELEASE],
  ["LIF-3", "3.2", "A quarterly release turns Current into Deprecated; it stays frozen.", RELEASE],
  ["LIF-4", "3.2", "A quarterly release turns Next into Current; its contract becomes frozen.", RELEASE],
  ["LIF-5", "3.2", "A quarterly release creates a new Next.", RELEASE],
  ["LIF-6", "3.2", "Releases fall in the first week of January, April, July and October.", RELEASE],
  ["LIF-7", "3.2", "The contracts of Current and Deprecated never change.", RELEASE],
  [
    "DEL-5",
    "6",
    "The endpoint's version decides which fields a raw payload contains.",
    "the versions describe no fields of data",
  ],
  [
    "DEL-8",
    "2.1, 6",
    "Otherwise deliveries are signed by the original scheme.",
    "no request creates an endpoint that uses it",
  ],
  ["VER-2", "9.1", "A version governs the whole contract.", "the versions of the package have the same contract"],
  ["CLI-1", "9.5", "There is a typed client for every supported version.", PACKAGE],
  ["CLI-2", "9.5", "Upgrading the package changes no contract.", PACKAGE],
  ["UPG-1", "9.6", "A program moves to another version by changing only the import path.", PACKAGE],
  ["UPG-2", "9.6", "The upgrade can be rehearsed against the sandbox, or the mock.", PACKAGE],
];

const ASSUMPTIONS: readonly (readonly [id: string, section: string, name: string, reason: string])[] = [
  ["G-BASE", "1", "baseUrls", "a response does not name the addresses of the service"],
  ["G-WHE-URL", "2.1", "deliverTo", "protects the networks of those who run the mock"],
  ["G-RETRY", "6", "retry.attempts", RETRIES],
  ["G-RETRY", "6", "retry.timeoutMs", RETRIES],
  ["G-RETRY", "6", "retry.firstDelayMs", "a delay includes the time of the delivery, and jitter"],
  ["G-RETRY", "6", "retry.maxDelayMs", RETRIES],
  ["G-RETRY", "6", "retry.jitter", "takes many retries to tell"],
  ["G-DISABLE", "3.1", "disableAfter", RETRIES],
  ["G-REMOVED", "9.4", "removedVersions", RELEASE],
];

/** Rules and assumptions that no request can show. */
export const unobservable: readonly Unobservable[] = [
  ...RULES.map(([id, section, title, reason]) => ({ kind: "rule", id, section, title, reason }) as const),
  ...ASSUMPTIONS.map(([id, section, name, reason]) => ({ kind: "assumption", id, section, name, reason }) as const),
];
