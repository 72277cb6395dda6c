import { expect } from "vitest";
import { isWebhookVerificationError, type WebhookVerificationError } from "../../versions/2025-01/webhooks.ts";

/** A secret of both schemes. */
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The secret of another endpoint. */
export const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** An event to sign. */
export const order = { type: "order.paid", data: { id: "ord_1", amount: 1200 } } as const;

/** Matches the event after verification. */
export const event = expect.objectContaining(order);

/** Returns the error with which a delivery is rejected. */
export async function rejection(result: Promise<unknown>): Promise<WebhookVerificationError> {
  const error = await result.then(
    () => expect.unreachable("The delivery was accepted."),
    (reason: unknown) => reason,
  );
  expect(isWebhookVerificationError(error), String(error)).toBe(true);
  return error as WebhookVerificationError;
}

/** A promise that a test resolves. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
