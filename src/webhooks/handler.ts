import { VersionMismatchError } from "../errors/call-errors.ts";
import { Checks } from "../errors/checks.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
import { claimEvent, type EventClaim, finishWithin } from "./claim-event.ts";
import type { DeliveryHandler, HandlerOptions, WebhookRequest } from "./options.ts";
import { type AnyWebhookEvent, type EventFunction, type HandlerSettings, handlerSettings } from "./settings.ts";
import type { WebhookVersion } from "./sign.ts";
import { checkData, verifyDelivery } from "./verify.ts";
import type { SchemasOf, WebhookDelivery } from "./webhook-event.ts";

/** The statuses of the reasons. Every other reason is 400: the delivery cannot be read. */
const STATUSES: Partial<Record<WebhookVerificationReason, number>> = {
  "body-too-large": 413,
  "timestamp-too-old": 401,
  "timestamp-too-new": 401,
  "signature-mismatch": 401,
  "body-changed": 401,
  "invalid-data": 500,
};

const MISUSE = "was called by Node.js; pass toNodeListener(handler).";

/** What node:http and Express pass as the second argument. (Fastify sends a `Response` that a function returns.) */
interface NodeAnswer {
  writeHead(status: number): { end(): unknown };
}

/** Creates a handler for the entry point of a version. */
export function handlerForVersion<Type extends string, Schemas extends SchemasOf<Type>>(
  version: WebhookVersion<Type>,
  options: HandlerOptions<Type, Schemas>,
): DeliveryHandler {
  const settings = handlerSettings(version, options);
  return async (request: Request | WebhookRequest, second?: Partial<NodeAnswer>) => {
    let isNode = false;
    let event: AnyWebhookEvent | undefined;
    let isChecked = false;
    try {
      isNode = typeof second?.writeHead === "function";
      if (isNode) throw new Checks({ caller: "createWebhookHandler" }).fail("handler", MISUSE);
      if (request.method !== "POST") {
        return problem(405, "method-not-allowed", "Webhooks are sent with POST.", { allow: "POST" });
      }
      event = await verifyDelivery(request as WebhookDelivery, settings.verify);
      isChecked = true;
      return await handleEvent(event, settings, (value) => {
        isChecked = value;
      });
    } catch (error) {
      // After the checks, an error is the receiver's, even if a function throws one of this package.
      const response = isChecked ? failure() : rejection(error);
      report(error, response.status, event, settings);
      if (isNode) endUnanswered(second as NodeAnswer);
      return response;
    }
  };
}

/** Answers a request of Node.js, which would hang, unless the application has answered it. */
function endUnanswered(answer: NodeAnswer): void {
  try {
    answer.writeHead(500).end();
  } catch {
    // The headers were sent.
  }
}

/** Runs the function of an event, unless it was handled before or is running. */
async function handleEvent(
  event: AnyWebhookEvent,
  settings: HandlerSettings,
  setChecked: (value: boolean) => void,
): Promise<Response> {
  const { on, running } = settings;
  const run = on.get(event.type) ?? on.get("*");
  if (!run) return new Response(null, { status: 204 });
  if (running.has(event.id)) return alreadyRunning();
  running.add(event.id);
  try {
    const claim = await claimEvent(event.id, settings);
    if (claim === "running") return alreadyRunning();
    if (claim !== "handled") await runClaimed(run, event, claim, settings, setChecked);
    return new Response(null, { status: 204 });
  } finally {
    running.delete(event.id);
  }
}

function alreadyRunning(): Response {
  return problem(409, "already-running", "The event is being processed.");
}

async function runClaimed(
  run: EventFunction,
  event: AnyWebhookEvent,
  claim: EventClaim,
  settings: HandlerSettings,
  setChecked: (value: boolean) => void,
): Promise<void> {
  try {
    setChecked(false);
    const checked = await checkData(event, settings.verify);
    setChecked(true);
    await finishWithin(settings.verify.timeoutMs, `The function for "${event.type}"`, () => run(checked));
  } catch (error) {
    await claim.release().catch(() => undefined);
    throw error;
  }
  // The function has finished, so the service must not send the event again, even if the store has failed.
  await claim.confirm().catch((error: unknown) => report(error, 204, event, settings));
}

/** Returns the response to a delivery that was not verified. It contains no message of your schema. */
function rejection(error: unknown): Response {
  if (error instanceof VersionMismatchError) return problem(400, "version-mismatch", error.message);
  if (!(error instanceof WebhookVerificationError)) return failure();
  const status = STATUSES[error.reason] ?? 400;
  return problem(status, error.reason, status < 500 ? error.message : undefined);
}

function failure(): Response {
  return problem(500, "internal-error");
}

function problem(
  status: number,
  error: string,
  detail: string = "The receiver failed; see onError.",
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error, detail }, { status, headers });
}

/** Calls `onError`. The response neither waits for it nor depends on it. */
function report(
  error: unknown,
  status: number,
  event: AnyWebhookEvent | undefined,
  { onError }: HandlerSettings,
): void {
  const call = async () => onError(error, { status, event: event && { id: event.id, type: event.type } });
  call().catch(() => undefined);
}
