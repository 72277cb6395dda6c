import { amount, callable, oneOf, text, texts } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";
import type { RecordPolicy } from "../state/record-policy.ts";
import { discordPayload } from "./discord-payload.ts";
import { type RetryPolicy, retryDefaults, retryFields } from "./retry-policy.ts";
import { type SignaturePolicy, signatureDefaults } from "./signature-policy.ts";
import { slackPayload } from "./slack-payload.ts";
import { envelope, type PayloadForm } from "./webhook-payload.ts";

/** Assumptions about deliveries. */
export interface DeliveryPolicy {
  /** G-WHE-URL: names of hosts that deliveries may go to in addition to this machine. Empty by default. */
  readonly deliverTo: readonly string[];
  /** G-SIGN: the headers that sign a delivery, the label before the signature, and the text that is signed. */
  readonly signature: SignaturePolicy;
  /** G-ENVELOPE: the payload of an endpoint with the format `raw`. */
  readonly envelope: PayloadForm;
  /** G-DISCORD: the payload of an endpoint with the format `discord`. */
  readonly discordPayload: PayloadForm;
  /** G-SLACK: the payload of an endpoint with the format `slack`. */
  readonly slackPayload: PayloadForm;
  /** G-RETRY: the number of attempts, the timeout of an attempt, and the delays after failures. */
  readonly retry: RetryPolicy;
  /** G-DISABLE: the number of consecutive failed events after which an endpoint is disabled; Infinity for never. */
  readonly disableAfter: number;
  /** G-REMOVED: deliveries to an endpoint whose version was removed by a release. */
  readonly removedVersions: "keep-delivering" | "stop";
}

/** Assumptions about webhooks: about deliveries, and about the secrets that sign them. */
export interface WebhookPolicy extends DeliveryPolicy, Pick<RecordPolicy, "secretPrefix"> {}

export const webhookDefaults: DeliveryPolicy = {
  deliverTo: [],
  signature: signatureDefaults,
  envelope,
  discordPayload,
  slackPayload,
  retry: retryDefaults,
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
  retry: { group: retryFields },
  disableAfter: amount,
  removedVersions: oneOf("keep-delivering", "stop"),
};
