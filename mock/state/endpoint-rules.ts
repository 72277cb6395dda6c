import { SECRET_PREFIX } from "../../src/client/redact.ts";
import { isLoopback } from "../../src/values/urls.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { IdGenerator } from "./ids.ts";

/** Generates the secret of an endpoint, for the Standard Webhooks scheme or the original one (G-WHE-SECRET). */
export function generateEndpointSecret(ids: IdGenerator, standard: boolean): string {
  if (!standard) return SECRET_PREFIX + ids.alphanumeric(43);
  return SECRET_PREFIX + btoa(String.fromCharCode(...ids.bytes(32)));
}

/** Returns the problem with the URL of an endpoint (G-WHE-URL); undefined when there is none. */
export function urlProblem(
  url: string,
  { endpointUrl: { protocols, credentials, hosts, maxLength } }: Assumptions,
): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return "URL should be absolute";
  if (url.length > (maxLength ?? url.length)) return `URL should have at most ${maxLength} characters`;
  if (!protocols.includes(parsed.protocol)) return `URL should start with ${protocols.join(" or ")}`;
  if (credentials === "reject" && (parsed.username || parsed.password)) return "URL should not hold credentials";
  if (hosts === "public" && isPrivate(parsed.hostname)) return "URL should not point to a private network";
  if (hosts === "public" && parsed.hostname.includes("_")) return "URL should have a host without _";
  return undefined;
}

/**
 * Whether a host of a `URL` belongs to this machine or to a private network, by its name or address. Names are
 * not looked up.
 */
function isPrivate(hostname: string): boolean {
  return isLoopback(hostname) || [...NAMES, ...IPV4, ...IPV6].some((pattern) => pattern.test(hostname));
}

/** RFC 6761, section 6.3; RFC 6762, section 3. */
const NAMES = [/(^|\.)localhost\.$/, /\.local\.?$/];

/** RFC 6890, section 2.2.2: this host, private use, shared address space, loopback, link local. */
const IPV4 = [
  /^0\.\d+\.\d+\.\d+$/,
  /^10\.\d+\.\d+\.\d+$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
];

/** RFC 6890, section 2.2.3: loopback, unspecified, IPv4 in IPv6, unique local, link local. */
const IPV6 = [/^\[::1?\]$/, /^\[::ffff:/, /^\[f[cd]/, /^\[fe[89ab]/];
