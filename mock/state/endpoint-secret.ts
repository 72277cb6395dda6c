import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Identity } from "./identity.ts";

/** A new secret of an endpoint, for the Standard Webhooks scheme or the original one (G-WHE-SECRET). */
export function endpointSecret(identity: Identity, standard: boolean, { secretPrefix }: Assumptions): string {
  if (!standard) return secretPrefix + identity.alphanumeric(43);
  return secretPrefix + btoa(String.fromCharCode(...identity.bytes(32)));
}
