import { escapeControls, type Part } from "../../terminal/output.ts";
import type { TriggeredEvent } from "./emit-and-wait.ts";

/** Formats the outcome of `billing trigger`: one line per endpoint. */
export function formatTriggered(type: string, events: readonly TriggeredEvent[]): Part[] {
  if (events.length > 0) return events.flatMap((event) => formatEvent(type, event));
  return [
    `No endpoint of the mock is subscribed to ${type}. Create one with webhooks.createEndpoint or a seed file.\n`,
  ];
}

function formatEvent(type: string, { id, url, api_version, ...outcome }: TriggeredEvent): Part[] {
  const target = escapeControls(`${type} to ${url ?? "a deleted endpoint"}`);
  return [`${target}: `, formatOutcome(outcome), "  ", ["dim", escapeControls(`${id}, version ${api_version}`)], "\n"];
}

function formatOutcome({
  status,
  response_status,
  error,
}: Pick<TriggeredEvent, "status" | "response_status" | "error">): Part {
  if (status === "succeeded") return ["green", `delivered (${response_status})`];
  const reason = error ?? (response_status === null ? "no response" : `status ${response_status}`);
  return ["red", escapeControls(`${status === "pending" ? "failed, will be retried" : status} (${reason})`)];
}
