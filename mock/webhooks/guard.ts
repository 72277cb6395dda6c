import { isLoopback } from "../network/hosts.ts";
import { CONTROL_PATH, type OwnAddresses } from "../state/own-addresses.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";

/** Why nothing is delivered to an address; undefined when it may be (G-WHE-URL). */
export function refusalOf(address: string, { deliverTo }: WebhookPolicy, own?: OwnAddresses): string | undefined {
  if (!URL.canParse(address)) return `Nothing was sent: "${address}" is no absolute address.`;
  const { protocol, hostname } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:")
    return `Nothing was sent: ${protocol} is neither http: nor https:.`;
  if (own?.has(address)) return `Nothing was sent: ${address} is the mock's own ${CONTROL_PATH}.`;
  if (isLoopback(hostname) || deliverTo.some((host) => host.toLowerCase() === hostname)) return undefined;
  return (
    `Nothing was sent: the mock delivers to this machine alone, and ${hostname} is elsewhere. Register a handler ` +
    `for the address with receive, or allow the host by name: createMock({ assumptions: { deliverTo: ["${hostname}"] } }).`
  );
}
