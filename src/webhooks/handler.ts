import { VersionMismatchError } from "../errors/call-errors.ts";
import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";
import { describeValue } from "../values/describe.ts";
import { checkData, checkVersion } from "./read-delivery.ts";
import { claimEvent, type EventClaim, finishWithin } from "./seen.ts";
import { type EventFunction, type HandlerSettings, handlerSettings, warnOnce } from "./settings.ts";
import type { WebhookVersion } from "./sign.ts";
import type {
  AnyWebhookEvent,
  DeliveryHandler,
  HandlerOptions,
  SchemasOf,
  WebhookDelivery,
  WebhookRequest,
} from "./types.ts";
import { verifyDelivery } from "./verify.ts";

/** Describes an error of the receiver: the sender learns nothing about it. */
const FAILED = "The receiver failed; see onError.";

/** A verified delivery. */
interface VerifiedDelivery {
  readonly settings: HandlerSettings;
  readonly event: AnyWebhookEvent;
  /** The time of the request, by `performance.now()`. */
  readonly startedAt: number;
}

/** Creates a handler for the entry point of a version. */
export function handlerForVersion<Type extends string, Schemas extends SchemasOf<Type>>(
  version: WebhookVersion<Type>,
  options: HandlerOptions<Type, Schemas>,
): DeliveryHandler {
  const settings = handlerSettings(version, options as HandlerOptions<string, object>);
  return async (request: Request | WebhookRequest) => {
    const startedAt = performance.now();
    let event: AnyWebhookEvent | undefined;
    try {
      event = await verifyDelivery(request as WebhookDelivery, settings.verify);
      checkVersion(event, settings.verify);
    } catch (error) {
      return reported(error, rejectionResponse(error), settings, event);
    }
    try {
      return await handleEvent({ event, startedAt, settings });
    } catch (error) {
      // After the checks, an error is the receiver's, even if a function throws one of this package.
      return reported(error, problem(500, "internal-error"), settings, event);
    }
  };
}

/** Runs the function of an event, unless it was handled before or is running. */
async function handleEvent(delivery: VerifiedDelivery): Promise<Response> {
  const { event, settings } = delivery;
  const { on, types, verify } = settings;
  if (event.type && !types.includes(event.type)) {
    warnOnce(`A webhook has the type ${describeValue(event.type)}, which version ${verify.version} does not know.`);
  }
  const run = on[event.type] ?? on["*"];
  if (!run) return accepted();
  const claim = await claimEvent(event.id, settings.seen);
  if (claim === "running") return problem(409, "already-running", "The event is being processed.");
  return claim === "handled" ? succeeded("onDuplicate", delivery) : runClaimed(run, claim, delivery);
}

/** Runs the function of an event, if its schema accepts the data. */
async function runClaimed(run: EventFunction, claim: EventClaim, delivery: VerifiedDelivery): Promise<Response> {
  const { event, settings } = delivery;
  try {
    const work = () => runChecked(run, delivery);
    const invalid = await finishWithin(settings.verify.timeout, `The function for "${event.type}"`, work);
    if (invalid) {
      // Nothing has handled the event, so its next delivery is checked again.
      await claim.release();
      return invalid;
    }
  } catch (error) {
    await claim.release().catch(() => undefined);
    throw error;
  }
  // The function has finished, so the service must not send the event again, even if the store has failed.
  await claim.confirm().catch((error: unknown) => reported(error, accepted(), settings, event));
  return succeeded("onHandled", delivery);
}

/** Checks the data of an event, and runs its function. Returns the response if the schema rejects the data. */
async function runChecked(run: EventFunction, { event, settings }: VerifiedDelivery): Promise<Response | undefined> {
  const checked = await checkData(event, settings.verify).catch((error: WebhookVerificationError) => error);
  if (!(checked instanceof WebhookVerificationError)) return void (await run(checked));
  const decision = await settings.onInvalidData(event, checked.mismatches);
  return decision === "refuse" ? reported(checked, problem(500, "invalid-data"), settings, event) : accepted();
}

function succeeded(callback: "onHandled" | "onDuplicate", { event, startedAt, settings }: VerifiedDelivery): Response {
  const duration = performance.now() - startedAt;
  notify(() => settings[callback]?.(event, { duration }));
  return accepted();
}

function accepted(): Response {
  return new Response(null, { status: 204 });
}

/** Returns the response to a delivery that was not verified: 401 if it may be forged, 400 if it cannot be read. */
function rejectionResponse(error: unknown): Response {
  if (error instanceof VersionMismatchError) return problem(400, "version-mismatch", error.message);
  if (!(error instanceof WebhookVerificationError)) return problem(500, "internal-error");
  const { reason, message } = error;
  if (reason === "body-too-large") return problem(413, reason, message);
  return problem(/^(timestamp|signature)-/.test(reason) ? 401 : 400, reason, message);
}

function problem(status: number, error: string, detail: string = FAILED): Response {
  return Response.json({ error, detail }, { status });
}

/** Passes an error to `onError`, and returns the response. */
function reported(error: unknown, response: Response, settings: HandlerSettings, event?: AnyWebhookEvent): Response {
  notify(() => settings.onError(error, { status: response.status, event }));
  return response;
}

/** Calls a function of the application. The response neither waits for it nor depends on it. */
function notify(call: () => unknown): void {
  void (async () => call())().catch(() => undefined);
}
