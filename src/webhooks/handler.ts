import { VersionMismatchError } from "../errors/call-errors.ts";
import { Checks } from "../errors/checks.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
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

/** The statuses of the reasons. Every other reason is 400: the delivery cannot be read. */
const STATUSES: Partial<Record<WebhookVerificationReason, number>> = {
  "body-too-large": 413,
  "timestamp-too-old": 401,
  "timestamp-too-new": 401,
  "signature-mismatch": 401,
};

/** Describes an error of the receiver: the sender learns nothing about it. */
const FAILED = "The receiver failed; see onError.";

/** What node:http and Express pass as the second argument. (Fastify sends a `Response` that a function returns.) */
interface NodeResponse {
  writeHead(status: number): { end(): unknown };
}

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
  return async (request: Request | WebhookRequest, second?: Partial<NodeResponse>) => {
    const startedAt = performance.now();
    if (typeof second?.writeHead === "function") return rejectNodeCall(second as NodeResponse, settings);
    let event: AnyWebhookEvent | undefined;
    try {
      if (request.method !== "POST") {
        return problem(405, "method-not-allowed", "Webhooks are sent with POST.", { allow: "POST" });
      }
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

/** Answers a request of Node.js, which would hang, unless the application has answered it. */
function rejectNodeCall(response: NodeResponse, settings: HandlerSettings): Response {
  const misuse = "was called by Node.js; pass toNodeListener(handler).";
  try {
    response.writeHead(500).end();
  } catch {
    // The headers were sent.
  }
  const error = new Checks({ caller: "createWebhookHandler" }).fail("handler", misuse);
  return reported(error, problem(500, "internal-error"), settings);
}

/** Runs the function of an event, unless it was handled before or is running. */
async function handleEvent(delivery: VerifiedDelivery): Promise<Response> {
  const { event, settings } = delivery;
  const { on, types, verify } = settings;
  if (event.type && !types.includes(event.type)) {
    warnOnce(`A webhook has the type ${describeValue(event.type)}, which version ${verify.version} does not know.`);
  }
  const run = on.get(event.type) ?? on.get("*");
  if (!run) return accepted();
  const claim = await claimEvent(event.id, settings);
  if (claim === "running") return problem(409, "already-running", "The event is being processed.");
  return claim === "handled" ? succeeded("onDuplicate", delivery) : runClaimed(run, claim, delivery);
}

/** Runs the function of an event, if its schema accepts the data. */
async function runClaimed(run: EventFunction, claim: EventClaim, delivery: VerifiedDelivery): Promise<Response> {
  const { event, settings } = delivery;
  const { timeoutMs } = settings.verify;
  try {
    const checked = await checkData(event, settings.verify).catch((error: WebhookVerificationError) => error);
    if (checked instanceof WebhookVerificationError) {
      // Nothing has handled the event, so its next delivery is checked again.
      await claim.release();
      const ask = () => settings.onInvalidData(event, checked.mismatches);
      const decision = await finishWithin(timeoutMs, "onInvalidData", ask);
      return decision === "refuse" ? reported(checked, problem(500, "invalid-data"), settings, event) : accepted();
    }
    await finishWithin(timeoutMs, `The function for "${event.type}"`, () => run(checked));
  } catch (error) {
    await claim.release().catch(() => undefined);
    throw error;
  }
  // The function has finished, so the service must not send the event again, even if the store has failed.
  await claim.confirm().catch((error: unknown) => reported(error, accepted(), settings, event));
  return succeeded("onHandled", delivery);
}

function succeeded(callback: "onHandled" | "onDuplicate", { event, startedAt, settings }: VerifiedDelivery): Response {
  const durationMs = performance.now() - startedAt;
  notify(() => settings[callback]?.(event, { durationMs }));
  return accepted();
}

function accepted(): Response {
  return new Response(null, { status: 204 });
}

/** Returns the response to a delivery that was not verified. */
function rejectionResponse(error: unknown): Response {
  if (error instanceof VersionMismatchError) return problem(400, "version-mismatch", error.message);
  if (!(error instanceof WebhookVerificationError)) return problem(500, "internal-error");
  return problem(STATUSES[error.reason] ?? 400, error.reason, error.message);
}

function problem(status: number, error: string, detail: string = FAILED, headers: HeadersInit = {}): Response {
  return Response.json({ error, detail }, { status, headers });
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
