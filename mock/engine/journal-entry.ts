import type { AnsweredRequest } from "../journal/recorder.ts";
import type { HandledRequest } from "./handled-request.ts";

/** Returns what the journal records of a request. */
export function journalEntry(
  { context, status, json, fault, loss }: HandledRequest,
  duration: number,
): AnsweredRequest {
  return {
    at: context.receivedAt,
    method: context.method,
    path: context.path,
    query: context.search,
    operation: context.route?.operation.id ?? null,
    versionAsked: context.versionAsked,
    versionUsed: context.contract?.version ?? null,
    credential: context.credential?.type ?? null,
    headers: context.request.headers.entries(),
    status: loss === undefined || loss === "truncated" ? status : null,
    text: context.text,
    json,
    fault: fault ?? null,
    duration,
  };
}
