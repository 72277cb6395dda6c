import { type EventClaim, EventClaims } from "./event-claims.ts";
import type { DeliveryHandler, HandlerOptions, WebhookRequest } from "./handler-options.ts";
import { type EventFunction, type HandlerSettings, handlerSettings } from "./handler-settings.ts";
import type { AnyWebhookEvent } from "./read-event.ts";
import { problemResponse, rejectionResponse } from "./rejection-response.ts";
import { verifyDelivery } from "./verify-for-version.ts";
import type { WebhookDelivery } from "./webhook-delivery.ts";
import type { SchemasOf } from "./webhook-event.ts";
import type { WebhookVersion } from "./webhook-version.ts";

/** Creates a handler for the entry point of a version. */
export function handlerForVersion<Type extends string, Schemas extends SchemasOf<Type>>(
  version: WebhookVersion<Type>,
  options: HandlerOptions<Type, Schemas>,
): DeliveryHandler {
  const receiver = new Receiver(handlerSettings(version, options));
  return (request) => receiver.handle(request);
}

class Receiver {
  readonly #settings: HandlerSettings;
  readonly #claims: EventClaims;

  constructor(settings: HandlerSettings) {
    this.#settings = settings;
    this.#claims = new EventClaims(settings.seen, settings.times);
  }

  async handle(request: Request | WebhookRequest): Promise<Response> {
    if (request.method !== "POST") {
      return problemResponse(405, "method-not-allowed", "Webhooks are sent with POST.", { allow: "POST" });
    }
    let event: AnyWebhookEvent | undefined;
    try {
      event = await verifyDelivery(request as WebhookDelivery, this.#settings.verify);
      return await this.#handleEvent(event);
    } catch (error) {
      const response = rejectionResponse(error);
      await this.#report(error, response.status, event);
      return response;
    }
  }

  async #handleEvent(event: AnyWebhookEvent): Promise<Response> {
    const { on } = this.#settings;
    const run = (Object.hasOwn(on, event.type) && on[event.type]) || on["*"];
    if (!run) return done();
    const claim = await this.#claims.claim(event.id);
    if (claim === "running") {
      return problemResponse(409, "already-running", "Another delivery of this event is running.");
    }
    if (claim !== "handled") await this.#run(run, event, claim);
    return done();
  }

  async #run(run: EventFunction, event: AnyWebhookEvent, claim: EventClaim): Promise<void> {
    try {
      await run(event);
    } catch (error) {
      await claim.release().catch(() => undefined);
      throw error;
    }
    // The function has finished, so the service must not send the event again, even if the store has failed.
    await claim.confirm().catch((error: unknown) => this.#report(error, 204, event));
  }

  async #report(error: unknown, status: number, event: AnyWebhookEvent | undefined): Promise<void> {
    try {
      await this.#settings.onError(error, { status, event: event && { id: event.id, type: event.type } });
    } catch {
      // The response does not depend on the report.
    }
  }
}

function done(): Response {
  return new Response(null, { status: 204 });
}
