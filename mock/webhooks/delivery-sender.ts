import { signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/index.ts";
import { formatTimestamp, readClock } from "../state/clock.ts";
import type { Delivery, EmittedEvent, StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { blockedReason } from "./blocked-reason.ts";
import { type DeliveryOutcome, failedOutcome, readOutcome } from "./delivery-outcome.ts";
import { fetchOverNetwork, postDelivery } from "./post-delivery.ts";
import { signatureHeaders } from "./signature-policy.ts";
import type { WebhookHandler } from "./webhook-handler.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";

/** The result of an attempt. */
export interface DeliveryAttempt {
  readonly delivery: Delivery;
  /** Whether the mock itself blocked the delivery, so that nothing was sent. */
  readonly isBlocked: boolean;
}

/** Signs and sends deliveries, to servers or to functions registered with `receive`. */
export class DeliverySender {
  readonly #state: Pick<State, "clock" | "own">;
  readonly #policy: WebhookPolicy;
  readonly #handlers = new Map<string, WebhookHandler>();

  constructor(state: Pick<State, "clock" | "own">, policy: WebhookPolicy) {
    this.#state = state;
    this.#policy = policy;
  }

  /** Passes the deliveries to a URL to a function, until the returned function is called. */
  receive(url: string, handler: WebhookHandler): () => void {
    if (!URL.canParse(url))
      throw new TypeError(`webhooks.receive: \`url\` must be an absolute URL; received "${url}".`);
    if (typeof handler !== "function") throw new TypeError("webhooks.receive: `handler` must be a function.");
    const { href } = new URL(url);
    this.#handlers.set(href, handler);
    return () => {
      if (this.#handlers.get(href) === handler) this.#handlers.delete(href);
    };
  }

  /** Makes one attempt. Never rejects: a failure is part of the delivery. */
  async attempt(event: EmittedEvent, endpoint: StoredWebhookEndpoint, signal: AbortSignal): Promise<DeliveryAttempt> {
    const started = performance.now();
    const { at, error } = readClock(this.#state.clock, event.next_attempt_at ?? event.created_at);
    const handler = this.#handlers.get(URL.canParse(endpoint.url) ? new URL(endpoint.url).href : endpoint.url);
    const blocked = handler ? undefined : blockedReason(endpoint.url, this.#policy, this.#state.own);
    const problem = blocked ?? error;
    const { headers, ...outcome } = problem
      ? { headers: {}, ...failedOutcome(problem) }
      : await this.#send(event, endpoint, at, handler ?? fetchOverNetwork, signal);
    const delivery: Delivery = {
      id: `${event.id}:${event.attempts + 1}`,
      event_id: event.id,
      endpoint_id: endpoint.id,
      type: event.type,
      url: endpoint.url,
      attempt: event.attempts + 1,
      at: formatTimestamp(at),
      headers,
      body: event.body,
      ...outcome,
      duration: performance.now() - started,
    };
    return { delivery, isBlocked: blocked !== undefined };
  }

  async #send(
    event: EmittedEvent,
    endpoint: StoredWebhookEndpoint,
    at: number,
    handler: WebhookHandler,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome & Pick<Delivery, "headers">> {
    let headers: Readonly<Record<string, string>> = {};
    let response_status: number | null = null;
    try {
      headers = await deliveryHeaders(event, endpoint, at, this.#policy);
      const content = { url: endpoint.url, headers, body: event.body };
      const limit = { timeoutMs: this.#policy.retry.timeoutMs, signal };
      const outcome = await postDelivery(content, handler, limit, (response) => {
        response_status = response.status;
        return readOutcome(response);
      });
      return { headers, ...outcome };
    } catch (error) {
      return { headers, ...failedOutcome(error), response_status };
    }
  }
}

/** Returns the headers of an attempt, signed by the scheme of the endpoint (specification, section 6; G-SIGN). */
async function deliveryHeaders(
  event: EmittedEvent,
  endpoint: StoredWebhookEndpoint,
  at: number,
  { signature, secretPrefix }: WebhookPolicy,
): Promise<Readonly<Record<string, string>>> {
  const parts = { id: event.id, timestamp: String(Math.floor(at / 1000)), body: event.body };
  const scheme = endpoint.uses_standard_webhook_signature ? "standard" : "original";
  const key = signingKey(endpoint.secret, scheme, secretPrefix);
  return {
    "content-type": "application/json",
    ...(await signatureHeaders(parts, key, signature)),
    [WEBHOOK_HEADERS.version]: event.api_version,
  };
}
