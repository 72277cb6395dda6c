/** RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1|\[::1\])$/;

/**
 * Whether a host name or IP address belongs to this machine. An IPv6 address may stand in brackets, as `URL` writes it;
 * `URL` also turns every other notation of 127.0.0.1 into this one.
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Whether a host of a `URL` belongs to this machine or to a private network, by its name or address. Names are
 * not looked up.
 */
export function isPrivate(hostname: string): boolean {
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
