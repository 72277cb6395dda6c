import type { IdGenerator } from "./id-generator.ts";
import type { RecordPolicy } from "./record-policy.ts";

/** Generates the secret of an endpoint, for the Standard Webhooks scheme or the original one (G-WHE-SECRET). */
export function generateEndpointSecret(ids: IdGenerator, standard: boolean, { secretPrefix }: RecordPolicy): string {
  if (!standard) return secretPrefix + ids.alphanumeric(43);
  return secretPrefix + btoa(String.fromCharCode(...ids.bytes(32)));
}
