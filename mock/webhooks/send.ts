import { describeValue } from "../../src/values/describe.ts";
import { isLoopback } from "../../src/values/urls.ts";
import { signedHeaders, signingKey } from "../../src/webhooks/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { orAbort, schedule } from "../clock/timers.ts";
import { requireResponse } from "../http/messages.ts";
import type { Delivery, EmittedEvent, StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";

/** Receives deliveries in the process, as the request handler of a server would. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>;

/** The result of an attempt. */
export interface DeliveryAttempt {
  readonly delivery: Delivery;
  /** Whether the mock itself blocked the delivery, so that nothing was sent. */
  readonly isBlocked: boolean;
}

/** What a response, or the lack of one, makes of an attempt. */
type Outcome = Pick<Delivery, "status" | "response_status" | "response_body" | "error">;

/** The maximum number of characters of a response that are kept. */
const MAX_CHARACTERS = 2_000;

/** The `fetch` of the platform, taken before a test or an interceptor can replace it. */
const originalFetch: typeof fetch = globalThis.fetch;

/** Signs and sends deliveries, to servers or to functions registered with `receive`. */
export class DeliverySender {
  readonly #state: Pick<State, "clock">;
  readonly #assumptions: Assumptions;
  readonly #handlers = new Map<string, WebhookHandler>();

  constructor(state: Pick<State, "clock">, assumptions: Assumptions) {
    this.#state = state;
    this.#assumptions = assumptions;
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

  /** Makes one attempt. A failure is part of the delivery; rejects only for an error whose message cannot be read. */
  async attempt(event: EmittedEvent, endpoint: StoredWebhookEndpoint, signal: AbortSignal): Promise<DeliveryAttempt> {
    const started = performance.now();
    const at = this.#state.clock.now();
    const { url } = endpoint;
    const handler = this.#handlers.get(new URL(url).href);
    const blocked = handler ? undefined : blockedReason(url, this.#assumptions);
    const { headers, ...outcome } = blocked
      ? { headers: {}, ...failedOutcome(blocked) }
      : await this.#send(event, endpoint, at, handler ?? ((request) => originalFetch(request)), signal);
    const attempt = event.attempts + 1;
    const delivery: Delivery = {
      id: `${event.id}:${attempt}`,
      event_id: event.id,
      endpoint_id: endpoint.id,
      type: event.type,
      url,
      attempt,
      at: formatTimestamp(at),
      headers,
      body: event.body,
      ...outcome,
      duration: performance.now() - started,
    };
    return { delivery, isBlocked: blocked !== undefined };
  }

  /** Posts a delivery and reads its response, all within the timeout. Does not follow redirects. */
  async #send(
    event: EmittedEvent,
    { url, secret, uses_standard_webhook_signature }: StoredWebhookEndpoint,
    at: number,
    handler: WebhookHandler,
    signal: AbortSignal,
  ): Promise<Outcome & Pick<Delivery, "headers">> {
    const { body } = event;
    let headers: Readonly<Record<string, string>> = {};
    let response_status: number | null = null;
    try {
      signal.throwIfAborted();
      const scheme = uses_standard_webhook_signature ? "standard" : "original";
      headers = await signedHeaders({ ...event, timestamp: Math.floor(at / 1000) }, signingKey(secret, scheme));
      signal.throwIfAborted();
      const request = requestTo(url, { method: "POST", headers, body, redirect: "manual", signal });
      const result = Promise.resolve(request)
        .then(handler)
        .then((response) => {
          response_status = requireResponse(response, "The handler").status;
          return readOutcome(response);
        });
      return { headers, ...(await orAbort(result, signal)) };
    } catch (error) {
      return { headers, ...failedOutcome(describeError(error)), response_status };
    }
  }

  /** Starts the time limit of an attempt, which fake timers control from the moment it is due. */
  startLimit(life: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
    const { timeout } = this.#assumptions.retry;
    const controller = new AbortController();
    // A listener can be removed. A signal from `AbortSignal.any` would stay in memory as long as `life`.
    const follow = (): void => controller.abort(life.reason);
    life.addEventListener("abort", follow, { once: true });
    const cancel = schedule(timeout, () => {
      controller.abort(new TypeError(`The receiver did not finish its response within ${timeout} ms.`));
    });
    return {
      signal: controller.signal,
      end: () => {
        cancel();
        life.removeEventListener("abort", follow);
      },
    };
  }
}

/** Creates a request. `Request` rejects a URL with credentials, so they are sent as Basic authentication (G-WHE-URL). */
function requestTo(url: string, init: RequestInit): Request {
  const target = new URL(url);
  const encoded = `${target.username}:${target.password}`;
  const request = new Request(Object.assign(target, { username: "", password: "" }), init);
  const bytes = encoded.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (bytes !== ":") request.headers.set("authorization", `Basic ${btoa(bytes)}`);
  return request;
}

/** Returns the reason why the mock does not deliver to a URL; undefined if it may (G-WHE-URL). */
function blockedReason(url: string, { deliverTo }: Assumptions): string | undefined {
  const { hostname } = new URL(url);
  if (isLoopback(hostname) || deliverTo.some((host) => host.toLowerCase() === hostname)) return undefined;
  return (
    `Nothing was sent: the mock delivers only to this machine, and ${hostname} is another host. Allow the host with the ` +
    `assumption { "deliverTo": ["${hostname}"] } (billing mock: in the file of --assumptions), or register a handler ` +
    `for the URL with mock.webhooks.receive.`
  );
}

/** Reads the outcome from a response: 2xx is a success, everything else a failure, including redirects (G-RETRY). */
async function readOutcome(response: Response): Promise<Outcome> {
  const { status, type } = response;
  const isRedirect = type === "opaqueredirect" || (status >= 300 && status < 400);
  return {
    status: status >= 200 && status < 300 ? "succeeded" : "failed",
    response_status: status === 0 ? null : status,
    response_body: (await response.text()).slice(0, MAX_CHARACTERS) || null,
    error: isRedirect ? "Redirects are not followed; they count as failures." : null,
  };
}

function failedOutcome(error: string): Outcome {
  return { status: "failed", response_status: null, response_body: null, error };
}

/** Returns the message of an error and of its cause, where `fetch` puts the details. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : describeValue(error);
  const cause = error.cause as { readonly message?: string; readonly code?: string } | undefined;
  const detail = cause?.message || cause?.code;
  return detail ? `${error.message}: ${detail}` : error.message;
}
