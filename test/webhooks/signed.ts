import { expect } from "vitest";
import {
  isWebhookVerificationError,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEventType,
  type WebhookSchemas,
  type WebhookVerificationError,
} from "#current/webhooks";
import { type SignatureScheme, signedHeaders, signingKey } from "../../src/webhooks/index.ts";
import { CURRENT } from "../support/versions.ts";

/** A secret of both schemes. */
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The secret of another endpoint. */
export const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** An event to sign. */
export const order = { type: "order.paid", data: { id: "ord_1", amount: 1200 } } as const;

/** Signs any body as the service does, for the event `evt_1`. */
export async function signedText(body: string, scheme: SignatureScheme = "standard") {
  const parts = { id: "evt_1", timestamp: Math.floor(Date.now() / 1000), body, api_version: CURRENT };
  return { body, headers: await signedHeaders(parts, signingKey(secret, scheme)) };
}

/** Matches the event after verification. */
export const event = expect.objectContaining(order);

/** Returns a signed request. */
export async function delivery(
  input: Parameters<typeof signWebhook>[0] = order,
  key: string = secret,
): Promise<Request> {
  const signed = await signWebhook(input, { secret: key });
  return new Request("https://shop.example/webhooks", { method: "POST", ...signed });
}

/** Returns the error with which a delivery is rejected. */
export async function rejection(
  delivery: object,
  options: Partial<VerifyOptions<WebhookEventType, WebhookSchemas>> = {},
): Promise<WebhookVerificationError> {
  const error = await verifyWebhook(delivery as Request, { secret, ...options }).then(
    () => expect.unreachable("The delivery was accepted."),
    (reason: unknown) => reason,
  );
  expect(isWebhookVerificationError(error), String(error)).toBe(true);
  return error as WebhookVerificationError;
}
