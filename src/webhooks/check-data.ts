import type { StandardIssue, StandardResult, StandardSchema } from "../contract/index.ts";
import { listFirst } from "../errors/list-first.ts";
import type { Mismatch } from "../errors/mismatch-error.ts";
import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";
import type { AnyWebhookEvent } from "./read-event.ts";
import type { VerifySettings } from "./verify-settings.ts";

/** The maximum number of mismatches in an error. */
const MOST = 100;

/**
 * Checks the data of an event with the schema for its type, and returns the event with the schema's output.
 *
 * @throws {@link WebhookVerificationError} if the schema rejects the data, or throws.
 */
export async function checkData(event: AnyWebhookEvent, { schemas }: VerifySettings): Promise<AnyWebhookEvent> {
  const schema = schemas.get(event.type);
  if (!schema) return event;
  const result = await run(schema, event);
  if (result.issues) throw rejected(event, result.issues);
  return { ...event, data: result.value };
}

async function run(schema: StandardSchema, event: AnyWebhookEvent): Promise<StandardResult<unknown>> {
  try {
    return await schema["~standard"].validate(event.data);
  } catch (cause) {
    throw invalidData(event, "failed; see `cause`.", { cause });
  }
}

function rejected(event: AnyWebhookEvent, issues: readonly StandardIssue[]): WebhookVerificationError {
  const mismatches = issues.slice(0, MOST).map(toMismatch);
  const problems = listFirst(mismatches, ({ path, message }) => `${path}: ${message}`, issues.length);
  return invalidData(event, `rejects the data: ${problems}`, { mismatches });
}

function invalidData(
  { type }: AnyWebhookEvent,
  problem: string,
  details: { readonly cause?: unknown; readonly mismatches?: readonly Mismatch[] },
): WebhookVerificationError {
  return new WebhookVerificationError("invalid-data", `Your schema for "${type}" ${problem}`, details);
}

function toMismatch({ path = [], message }: StandardIssue): Mismatch {
  const keys = path.map((each) => (typeof each === "object" ? each.key : each));
  const steps = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return { path: `data${steps.join("")}`, message };
}
