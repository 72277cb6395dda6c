import type { Schema } from "../../src/contract/index.ts";
import type { Loc } from "../operations/limits/limit.ts";
import { isObject } from "../options/shape.ts";
import { yieldToEventLoop } from "../time/yield-to-event-loop.ts";
import { type BodySchema, bodySchema } from "./body-schema.ts";
import type { ProblemList } from "./problem-list.ts";
import { problemsOf } from "./problems.ts";

/** How many items of lists are checked before other requests get their turn. */
const ITEMS_AT_ONCE = 1_000;

/** The check of an operation's body by the contract's schema. */
export interface BodyCheck {
  readonly schema: BodySchema;
  /**
   * Adds what does not fit, until the list of problems is full, and gives what the schema keeps of the body: as a promise
   * where the body holds long lists.
   */
  check(sent: unknown, problems: ProblemList): unknown;
}

/** Prepares the check of an operation's body. */
export function bodyCheck(whole: Schema): BodyCheck {
  const schema = bodySchema(whole);
  const check = (sent: unknown, problems: ProblemList) => {
    const kept = keptBy(schema.frame, sent, ["body"], problems);
    if (schema.lists.length === 0 || !isObject(sent)) return kept;
    const body = { ...(kept as object) };
    const work = checkItems(schema, sent, body, problems);
    return work.next().done ? body : finishLater(work, body);
  };
  return { schema, check };
}

type Fields = Readonly<Record<string, unknown>>;

/** Checks the items of every list in a body, and stops now and then for others. */
function* checkItems({ lists }: BodySchema, sent: Fields, body: Record<string, unknown>, problems: ProblemList) {
  let checked = 0;
  for (const { name, item } of lists) {
    const items = sent[name];
    if (!Array.isArray(items)) continue;
    const kept: unknown[] = [];
    for (let i = 0; i < items.length && !problems.isFull; i++) {
      if (checked > 0 && checked % ITEMS_AT_ONCE === 0) yield;
      checked += 1;
      kept.push(keptBy(item, items[i], ["body", name, i], problems));
    }
    body[name] = kept;
  }
}

async function finishLater(work: Iterator<unknown>, body: unknown): Promise<unknown> {
  do await yieldToEventLoop();
  while (!work.next().done);
  return body;
}

function keptBy(schema: Schema, sent: unknown, loc: Loc, problems: ProblemList): unknown {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  problems.addAll(problemsOf(result.error.issues, sent, loc));
  return undefined;
}
