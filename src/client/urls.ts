/** Returns an absolute URL with http: or https:; undefined for any other value, and for a URL with a user name or a password. */
export function parseWebUrl(value: unknown): URL | undefined {
  const url = typeof value === "string" || value instanceof URL ? URL.parse(String(value)) : null;
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === "" ? url : undefined;
}

/** Returns a base URL without a trailing slash; undefined for any other value, and for a URL with a query or a fragment. */
export function parseBaseUrl(value: unknown): string | undefined {
  const url = parseWebUrl(value);
  return url && !/[?#]/.test(url.href) ? url.origin + url.pathname.replace(/\/+$/, "") : undefined;
}

/**
 * Whether a value is an origin in the form that browsers send: a scheme, a host in lower case, and a port where it is not
 * the usual one (RFC 6454, section 6). Apps in a shell have schemes of their own, as in `capacitor://localhost`.
 */
export function isOrigin(value: unknown): boolean {
  if (typeof value !== "string" || !/^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+$/.test(value)) return false;
  return !/^https?:/.test(value) || (URL.canParse(value) && new URL(value).origin === value);
}

/**
 * Whether a host name or IP address belongs to this machine (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3). An IPv6 address may stand in brackets, as `URL` writes it;
 * `URL` also turns every other notation of 127.0.0.1 into this one.
 */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1|\[::1\])$/.test(host);
}
