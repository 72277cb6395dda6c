import { isLoopback } from "../network/hosts.ts";
import { CONTROL_PATH, type OwnAddresses } from "../state/own-addresses.ts";
import type { DeliveryPolicy } from "./webhook-policy.ts";

/** Returns the reason why the mock does not deliver to a URL; undefined if it may (G-WHE-URL). */
export function blockedReason(url: string, { deliverTo }: DeliveryPolicy, own?: OwnAddresses): string | undefined {
  if (!URL.canParse(url)) return `Nothing was sent: "${url}" is not an absolute URL.`;
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") {
    return `Nothing was sent: the URL must start with http: or https:, not ${protocol}`;
  }
  if (own?.has(url)) return `Nothing was sent: ${url} is the mock's own ${CONTROL_PATH}.`;
  if (isLoopback(hostname) || deliverTo.some((host) => host.toLowerCase() === hostname)) return undefined;
  return (
    `Nothing was sent: the mock delivers only to this machine, and ${hostname} is another host. Register a handler ` +
    `for the URL with receive, or allow the host: createMock({ assumptions: { deliverTo: ["${hostname}"] } }).`
  );
}
