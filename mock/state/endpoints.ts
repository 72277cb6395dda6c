import { SECRET_PREFIX } from "../../src/webhooks/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { isPrivate } from "../network/hosts.ts";
import type { IdGenerator } from "./ids.ts";

/** Generates the secret of an endpoint, for the Standard Webhooks scheme or the original one (G-WHE-SECRET). */
export function generateEndpointSecret(ids: IdGenerator, standard: boolean): string {
  if (!standard) return SECRET_PREFIX + ids.alphanumeric(43);
  return SECRET_PREFIX + btoa(String.fromCharCode(...ids.bytes(32)));
}

/** Returns the problem with the URL of an endpoint (G-WHE-URL); undefined when there is none. */
export function urlProblem(
  url: string,
  { endpointUrl: { protocols, credentials, hosts } }: Assumptions,
): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return "URL should be absolute";
  if (!protocols.includes(parsed.protocol)) return `URL should start with ${protocols.join(" or ")}`;
  if (credentials === "reject" && (parsed.username || parsed.password)) return "URL should not hold credentials";
  if (hosts === "public" && isPrivate(parsed.hostname)) return "URL should not point to a private network";
  return undefined;
}
