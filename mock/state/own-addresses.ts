import { reachesThisMachine } from "../network/hosts.ts";

/** The path of the control API on the server of a mock. */
export const CONTROL_PATH = "/__mock";

/** The addresses of a mock's own control API. Nothing is delivered there, because a delivery could control the mock. */
export class OwnAddresses {
  readonly #hosts = new Map<string, ReadonlySet<string>>();

  /** Adds a port of the control API, with the names and addresses of the machine except loopback ones. */
  add(port: number, hosts: readonly string[]): void {
    this.#hosts.set(String(port), new Set(hosts.map(plain)));
  }

  /** Removes a port. */
  remove(port: number): void {
    this.#hosts.delete(String(port));
  }

  /** Whether a URL leads to the control API, in any spelling of its host. */
  has(address: string): boolean {
    if (this.#hosts.size === 0) return false;
    const url = URL.parse(address);
    if (!url || !isControlPath(url.pathname)) return false;
    const hosts = this.#hosts.get(url.port || (url.protocol === "https:" ? "443" : "80"));
    const host = plain(url.hostname);
    return hosts !== undefined && (hosts.has(host) || reachesThisMachine(host));
  }
}

/** Whether a path belongs to the control API. */
export function isControlPath(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);
}

/** Returns a host without the brackets of IPv6 and the final dot of a full name. */
function plain(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}
