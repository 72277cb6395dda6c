/**
 * Whether a host is this machine or in a private network, by its name or address alone: `URL` writes every notation of an
 * IPv4 address with four numbers, and every IPv6 address in brackets.
 */
export function isPrivate(hostname: string): boolean {
  return [...NAMES, ...IPV4, ...IPV6].some((pattern) => pattern.test(hostname));
}

/** RFC 6761, section 6.3; RFC 6762, section 3. */
const NAMES = [/^(.+\.)?localhost\.?$/, /\.local\.?$/];

/** RFC 6890, section 2.2.2: this host, private use, shared address space, loopback, link local. */
const IPV4 = [
  /^0\.\d+\.\d+\.\d+$/,
  /^10\.\d+\.\d+\.\d+$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^127\.\d+\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
];

/** RFC 6890, section 2.2.3: loopback, unspecified, IPv4 in IPv6, unique local, link local. */
const IPV6 = [/^\[::1?\]$/, /^\[::ffff:/, /^\[f[cd]/, /^\[fe[89ab]/];
