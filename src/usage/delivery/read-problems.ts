import { formatPath } from "../../client/mismatches.ts";
import type { EventProblem } from "../event/index.ts";

/** The problems of a 422. */
export interface ReadProblems {
  /** Problems of one event each, by its index in the request. */
  readonly byEvent: ReadonlyMap<number, readonly EventProblem[]>;
  /** Problems that name no event of the request. */
  readonly others: readonly EventProblem[];
}

/** The message of a problem that the service did not explain. */
export const NO_REASON = "the service rejected the event without a reason (422)";

/** The maximum number of problems of one event, and of those that name none. A response may have any number. */
const MAX_PROBLEMS = 20;
/** The maximum number of parts of a path. */
const MAX_PARTS = 20;
/** The maximum number of characters of a path, a message and a type. */
const MAX_LENGTH = 1_000;

/** Reads the body of a 422 (specification, section 2.5), and ignores parts that do not have its shape. */
export function readProblems(body: unknown, events: number): ReadProblems {
  const byEvent = new Map<number, EventProblem[]>();
  const others: EventProblem[] = [];
  for (const item of itemsOf(body)) {
    const loc = item["loc"] as (string | number)[];
    const index = indexOf(loc, events);
    const problems = index === undefined ? others : (byEvent.get(index) ?? []);
    if (index !== undefined) byEvent.set(index, problems);
    if (problems.length < MAX_PROBLEMS) problems.push(problemOf(item, index === undefined ? loc : loc.slice(3)));
  }
  return { byEvent, others };
}

function itemsOf(body: unknown): Record<string, unknown>[] {
  const { detail } = (typeof body === "object" && body !== null ? body : {}) as { readonly detail?: unknown };
  if (!Array.isArray(detail)) return [];
  return detail.filter((item) => Array.isArray((item as { readonly loc?: unknown } | null)?.loc));
}

/** Returns the index of the event in `["body", "events", index, …]`. */
function indexOf([root, field, index]: readonly unknown[], events: number): number | undefined {
  if (root !== "body" || field !== "events" || !Number.isInteger(index)) return undefined;
  return (index as number) >= 0 && (index as number) < events ? (index as number) : undefined;
}

function problemOf({ msg, type }: Record<string, unknown>, path: readonly (string | number)[]): EventProblem {
  const parts = path.slice(0, MAX_PARTS).map((part) => (typeof part === "string" ? clip(part) : part));
  return {
    path: clip(formatPath(parts)),
    message: typeof msg === "string" ? clip(msg) : NO_REASON,
    type: typeof type === "string" ? clip(type) : "invalid",
  };
}

function clip(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}
