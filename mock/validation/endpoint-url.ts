import type { Assumptions } from "../assumptions/assumptions.ts";
import { isPrivate } from "../network/hosts.ts";
import { CONTROL_PATH, type OwnAddresses } from "../state/own-addresses.ts";

/** What is wrong with the address of an endpoint (G-WHE-URL); undefined when nothing is. */
export function urlProblem(
  url: string,
  { endpointUrl: { protocols, credentials, hosts } }: Assumptions,
  own?: OwnAddresses,
): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return "URL should be absolute";
  if (!protocols.includes(parsed.protocol)) return `URL should start with ${protocols.join(" or ")}`;
  if (credentials === "reject" && (parsed.username || parsed.password)) return SECRET_IN_URL;
  if (hosts === "public" && isPrivate(parsed.hostname)) return "URL should not point to a private network";
  return own?.has(url) ? OWN_CONTROL : undefined;
}

/** Said of an address at which the mock itself would be controlled. */
const OWN_CONTROL = `URL should not be the mock's own ${CONTROL_PATH}`;

/** Said of an address that is not to be repeated. */
export const SECRET_IN_URL = "URL should not hold credentials";
