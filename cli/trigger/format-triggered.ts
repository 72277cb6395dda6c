import { paint } from "../paint.ts";
import type { TriggeredEvent } from "./emit-and-wait.ts";

/** Formats the outcome of `billing trigger`: one line per endpoint. */
export function formatTriggered(type: string, events: readonly TriggeredEvent[]): string {
  if (events.length > 0) return events.map((event) => `${formatEvent(type, event)}\n`).join("");
  return `No endpoint of the mock is subscribed to ${type}. Create one with webhooks.createEndpoint or a seed file.\n`;
}

function formatEvent(type: string, { id, url, api_version, ...outcome }: TriggeredEvent): string {
  const facts = paint("dim", `${id}, version ${api_version}`);
  return `${type} to ${url ?? "a deleted endpoint"}: ${formatOutcome(outcome)}  ${facts}`;
}

function formatOutcome({
  status,
  response_status,
  error,
}: Pick<TriggeredEvent, "status" | "response_status" | "error">): string {
  if (status === "succeeded") return paint("green", `delivered (${response_status})`);
  const reason = error ?? (response_status === null ? "no response" : `status ${response_status}`);
  return paint("red", `${status === "pending" ? "failed, will be retried" : status} (${reason})`);
}
