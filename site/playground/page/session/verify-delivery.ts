import { isWebhookVerificationError } from "../../../../src/index.ts";
import type { EditableDelivery, SentDelivery } from "./emit-webhook.ts";

/** The function `verifyWebhook` of a version. */
export type Verifier = (
  delivery: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  options: { readonly secret: string },
) => Promise<unknown>;

/** The result of a verification: the event, or why the delivery was rejected. */
export type Verification =
  | { readonly ok: true; readonly event: unknown }
  | { readonly ok: false; readonly name: string; readonly reason: string | undefined; readonly message: string };

/** Verifies a delivery as an application does. */
export async function verifyDelivery(
  verify: Verifier,
  { secret, version }: SentDelivery,
  { id, timestamp, signature, body }: EditableDelivery,
): Promise<Verification> {
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
    "webhook-api-version": version,
  };
  try {
    return { ok: true, event: await verify({ body, headers }, { secret }) };
  } catch (error) {
    const { name, message } = error as Error;
    return { ok: false, name, message, reason: isWebhookVerificationError(error) ? error.reason : undefined };
  }
}

/** The changes to a delivery that the page offers. */
export const TAMPERINGS: readonly {
  readonly title: string;
  readonly change: (sent: EditableDelivery) => EditableDelivery;
}[] = [
  { title: "Change the body", change: (sent) => ({ ...sent, body: sent.body.replace(/\}$/, ',"paid":true}') }) },
  { title: "Format the body", change: (sent) => ({ ...sent, body: JSON.stringify(JSON.parse(sent.body), null, 2) }) },
  { title: "Make it 10 minutes old", change: (sent) => ({ ...sent, timestamp: String(Number(sent.timestamp) - 600) }) },
  { title: "Change the signature", change: (sent) => ({ ...sent, signature: otherSignature(sent.signature) }) },
];

/** Returns a signature that differs in its first character. */
function otherSignature(signature: string): string {
  return signature.replace(/,(.)/, (_, first) => `,${first === "A" ? "B" : "A"}`);
}
