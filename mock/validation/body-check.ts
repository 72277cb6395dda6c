import type { Schema } from "../../src/contract/index.ts";
import { isObject } from "../options/shape.ts";
import { ITEMS_AT_ONCE, type Work } from "../time/in-slices.ts";
import { type BodyList, type BodySchema, bodySchema } from "./body-schema.ts";
import type { Loc } from "./problem.ts";
import type { ProblemList } from "./problem-list.ts";
import { type QuickParse, quickParse, UNDECIDED } from "./quick-parse.ts";
import { type Explain, problemsOf } from "./schema-problems.ts";
import { validate } from "./validate.ts";

/** Checks the body of an operation against the contract. */
export interface BodyCheck {
  readonly schema: BodySchema;
  /** Adds the problems of a body until the list of problems is full. Returns what the schema keeps of the body. */
  check(sent: unknown, problems: ProblemList): Work<unknown>;
}

/** Prepares the check of a body. */
export function createBodyCheck(whole: Schema, explain?: Explain): BodyCheck {
  const schema = bodySchema(whole);
  const lists = schema.lists.map((list) => ({ ...list, quick: quickParse(list.item) }));
  function* check(sent: unknown, problems: ProblemList): Work<unknown> {
    const parse = parser(problems, explain);
    const kept = parse(schema.frame, sent, ["body"]);
    if (lists.length === 0 || !isObject(sent)) return kept;
    const body = { ...(kept as object) };
    yield* checkItems(lists, sent, body, problems, parse);
    return body;
  }
  return { schema, check };
}

type Parse = (schema: Schema, sent: unknown, loc: Loc) => unknown;

function parser(problems: ProblemList, explain: Explain | undefined): Parse {
  return (schema, sent, loc) => {
    const { value, issues } = validate(schema, sent);
    if (!issues) return value;
    problems.addAll(problemsOf(issues, sent, loc, explain));
    return undefined;
  };
}

type Fields = Readonly<Record<string, unknown>>;

interface QuickList extends BodyList {
  readonly quick: QuickParse;
}

function* checkItems(
  lists: readonly QuickList[],
  sent: Fields,
  body: Record<string, unknown>,
  problems: ProblemList,
  parse: Parse,
): Work<void> {
  let checked = 0;
  for (const { name, item, quick } of lists) {
    const items = sent[name];
    if (!Array.isArray(items)) continue;
    const kept: unknown[] = [];
    for (let i = 0; i < items.length && !problems.isFull; i++) {
      if (checked > 0 && checked % ITEMS_AT_ONCE === 0) yield;
      checked += 1;
      const parsed = quick(items[i]);
      kept.push(parsed === UNDECIDED ? parse(item, items[i], ["body", name, i]) : parsed);
    }
    body[name] = kept;
  }
}
