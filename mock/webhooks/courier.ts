import { hmac, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/index.ts";
import { type Clock, timestamp } from "../state/clock.ts";
import type { OwnAddresses } from "../state/own-addresses.ts";
import type { WebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { refusalOf } from "./guard.ts";
import { failure, type Outcome, outcomeOf } from "./outcome.ts";
import { overNetwork, send } from "./sending.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";
import type { Delivery, EmittedEvent, WebhookHandler } from "./webhooks.ts";

/** An attempt, and whether it was the mock itself that refused it. */
export interface Attempt {
  readonly delivery: Delivery;
  readonly refused: boolean;
}

/** Makes the attempts: signs, sends, and says what came of it. */
export class Courier {
  readonly #clock: Clock;
  readonly #own: OwnAddresses;
  readonly #assumptions: WebhookPolicy;
  readonly #handlers = new Map<string, WebhookHandler>();

  constructor({ clock, own }: Pick<State, "clock" | "own">, assumptions: WebhookPolicy) {
    this.#clock = clock;
    this.#own = own;
    this.#assumptions = assumptions;
  }

  /** Hands what goes to a URL to a function, until the returned function is called. */
  receive(url: string, handler: WebhookHandler): () => void {
    if (!URL.canParse(url)) throw new TypeError(`receive: the URL must be absolute: "${url}".`);
    if (typeof handler !== "function") throw new TypeError("receive: the handler must be a function.");
    const { href } = new URL(url);
    this.#handlers.set(href, handler);
    return () => {
      if (this.#handlers.get(href) === handler) this.#handlers.delete(href);
    };
  }

  /** Makes one attempt. It never rejects: what goes wrong is the attempt's outcome. */
  async attempt(event: EmittedEvent, endpoint: WebhookEndpoint, signal: AbortSignal): Promise<Attempt> {
    const started = performance.now();
    const at = this.#clock();
    const handler = this.#handlers.get(URL.canParse(endpoint.url) ? new URL(endpoint.url).href : endpoint.url);
    const refusal = handler ? undefined : refusalOf(endpoint.url, this.#assumptions, this.#own);
    const { headers, ...outcome } = refusal
      ? { headers: {}, ...failure(refusal) }
      : await this.#send(event, endpoint, at, handler ?? overNetwork, signal);
    const delivery: Delivery = Object.freeze({
      id: `${event.id}:${event.attempts + 1}`,
      event_id: event.id,
      endpoint_id: endpoint.id,
      type: event.type,
      url: endpoint.url,
      attempt: event.attempts + 1,
      at: timestamp(at),
      headers: Object.freeze(headers),
      body: event.body,
      ...outcome,
      duration: performance.now() - started,
    });
    return { delivery, refused: refusal !== undefined };
  }

  async #send(
    event: EmittedEvent,
    endpoint: WebhookEndpoint,
    at: number,
    receiver: WebhookHandler,
    signal: AbortSignal,
  ): Promise<Outcome & Pick<Delivery, "headers">> {
    let headers: Readonly<Record<string, string>> = {};
    let response_status: number | null = null;
    try {
      headers = await headersOf(event, endpoint, at, this.#assumptions);
      const message = { url: endpoint.url, headers, body: event.body };
      const limit = { timeoutMs: this.#assumptions.retry.timeoutMs, signal };
      const outcome = await send(message, receiver, limit, (response) => {
        response_status = response.status;
        return outcomeOf(response);
      });
      return { headers, ...outcome };
    } catch (error) {
      return { headers, ...failure(error), response_status };
    }
  }
}

/** The headers of an attempt, signed by the scheme of the endpoint (specification, section 6; G-SIGN). */
async function headersOf(
  event: EmittedEvent,
  endpoint: WebhookEndpoint,
  at: number,
  { signature, secretPrefix }: WebhookPolicy,
): Promise<Readonly<Record<string, string>>> {
  const parts = { id: event.id, timestamp: String(Math.floor(at / 1000)), body: event.body };
  const scheme = endpoint.uses_standard_webhook_signature ? "standard" : "original";
  const key = signingKey(endpoint.secret, scheme, secretPrefix);
  return {
    "content-type": "application/json",
    [signature.idHeader]: parts.id,
    [signature.timestampHeader]: parts.timestamp,
    [signature.signatureHeader]: `${signature.label},${await hmac(key, signature.text(parts))}`,
    [WEBHOOK_HEADERS.version]: event.api_version,
  };
}
