import { claimEvent, type EventClaim } from "./claim-event.ts";
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
  const settings = handlerSettings(version, options);
  return (request) => handle(request, settings);
}

async function handle(request: Request | WebhookRequest, settings: HandlerSettings): Promise<Response> {
  if (request.method !== "POST") {
    return problemResponse(405, "method-not-allowed", "Webhooks are sent with POST.", { allow: "POST" });
  }
  let event: AnyWebhookEvent | undefined;
  try {
    event = await verifyDelivery(request as WebhookDelivery, settings.verify);
    return await handleEvent(event, settings);
  } catch (error) {
    const response = rejectionResponse(error);
    await report(error, response.status, event, settings);
    return response;
  }
}

async function handleEvent(event: AnyWebhookEvent, settings: HandlerSettings): Promise<Response> {
  const { on, running } = settings;
  const run = on.get(event.type) ?? on.get("*");
  if (!run) return done();
  if (running.has(event.id)) return alreadyRunning();
  running.add(event.id);
  try {
    const claim = await claimEvent(event.id, settings);
    if (claim === "running") return alreadyRunning();
    if (claim !== "handled") await runClaimed(run, event, claim, settings);
    return done();
  } finally {
    running.delete(event.id);
  }
}

async function runClaimed(
  run: EventFunction,
  event: AnyWebhookEvent,
  claim: EventClaim,
  settings: HandlerSettings,
): Promise<void> {
  try {
    await run(event);
  } catch (error) {
    await claim.release().catch(() => undefined);
    throw error;
  }
  // The function has finished, so the service must not send the event again, even if the store has failed.
  await claim.confirm().catch((error: unknown) => report(error, 204, event, settings));
}

async function report(
  error: unknown,
  status: number,
  event: AnyWebhookEvent | undefined,
  { onError }: HandlerSettings,
): Promise<void> {
  try {
    await onError(error, { status, event: event && { id: event.id, type: event.type } });
  } catch {
    // The response does not depend on the report.
  }
}

function done(): Response {
  return new Response(null, { status: 204 });
}

function alreadyRunning(): Response {
  return problemResponse(409, "already-running", "This event is being processed.");
}
