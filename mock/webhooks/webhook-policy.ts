import { SIGNATURE_LABEL, type SignedParts, signedText, WEBHOOK_HEADERS } from "../../src/webhooks/index.ts";
import { amount, atLeast, callable, from, oneOf, text, texts } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";
import type { RecordPolicy } from "../state/record-policy.ts";
import { discordPayload } from "./discord.ts";
import { envelope, type PayloadForm } from "./payload.ts";
import { slackPayload } from "./slack.ts";

/** Assumptions about the deliveries of webhooks. */
export interface DeliveryPolicy {
  /** G-WHE-URL: the hosts, by name, that deliveries may go to in addition to this machine; none by default. */
  readonly deliverTo: readonly string[];
  /** G-SIGN: the headers that sign a delivery, the label before the signature, and the text that is signed. */
  readonly signature: {
    readonly idHeader: string;
    readonly timestampHeader: string;
    readonly signatureHeader: string;
    readonly label: string;
    readonly text: (parts: SignedParts) => string;
  };
  /** G-ENVELOPE: the payload of an endpoint with the format `raw`. */
  readonly envelope: PayloadForm;
  /** G-DISCORD: the payload of an endpoint with the format `discord`. */
  readonly discordPayload: PayloadForm;
  /** G-SLACK: the payload of an endpoint with the format `slack`. */
  readonly slackPayload: PayloadForm;
  /**
   * G-RETRY: the number of attempts, the timeout of an attempt, and the delay after a failure. The delay doubles each
   * time; `jitter`, from 0 to 1, is the part of it by which it may be shortened at random.
   */
  readonly retry: {
    readonly attempts: number;
    readonly timeoutMs: number;
    readonly firstDelayMs: number;
    readonly maxDelayMs: number;
    readonly jitter: number;
  };
  /** G-DISABLE: the number of consecutive failed events after which an endpoint is disabled; Infinity for never. */
  readonly disableAfter: number;
  /** G-REMOVED: deliveries to an endpoint whose version was removed by a release. */
  readonly removedVersions: "keep-delivering" | "stop";
}

/** Every assumption that applies to webhooks. */
export interface WebhookPolicy extends DeliveryPolicy, Pick<RecordPolicy, "secretPrefix"> {}

export const webhookDefaults: DeliveryPolicy = {
  deliverTo: [],
  signature: {
    idHeader: WEBHOOK_HEADERS.id,
    timestampHeader: WEBHOOK_HEADERS.timestamp,
    signatureHeader: WEBHOOK_HEADERS.signature,
    label: SIGNATURE_LABEL,
    text: signedText,
  },
  envelope,
  discordPayload,
  slackPayload,
  retry: { attempts: 10, timeoutMs: 10_000, firstDelayMs: 2_000, maxDelayMs: 20 * 60_000, jitter: 0.5 },
  disableAfter: 10,
  removedVersions: "keep-delivering",
};

export const webhookFields: PolicyFields<DeliveryPolicy> = {
  deliverTo: texts,
  signature: {
    group: { idHeader: text, timestampHeader: text, signatureHeader: text, label: text, text: callable },
  },
  envelope: callable,
  discordPayload: callable,
  slackPayload: callable,
  retry: {
    group: {
      attempts: atLeast(1),
      timeoutMs: amount,
      firstDelayMs: amount,
      maxDelayMs: amount,
      jitter: from(0, 1),
    },
  },
  disableAfter: amount,
  removedVersions: oneOf("keep-delivering", "stop"),
};
