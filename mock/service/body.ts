import type { Schema } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions.ts";
import { isDeeper } from "./depth.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { withOneCustomer } from "./limits/events.ts";
import { limits } from "./limits/index.ts";
import type { Judgement, Loc } from "./limits/limit.ts";
import { problemsOf } from "./problems.ts";
import { invalid, type Problem } from "./refusals.ts";
import type { Route } from "./routes.ts";

/** Reads and checks a JSON body. One answer names every place in it that is wrong, each of them once. */
export function readBody(exchange: Exchange, { operation }: Route, judgement: Judgement): Reply | undefined {
  const { assumptions } = judgement;
  const problem = exchange.text ? contentTypeProblem(exchange, assumptions) : undefined;
  if (problem) return invalid([problem], assumptions);
  const parsed = parse(exchange, assumptions);
  if ("problem" in parsed) return invalid([parsed.problem], assumptions);
  const value = assumptions.bothCustomerIds === "accept" ? withOneCustomer(parsed.value) : parsed.value;
  const checked = (operation.request.body as Schema).safeParse(value);
  const problems = [
    ...(checked.success ? [] : problemsOf(checked.error.issues, value, "body")),
    ...(limits[operation.id]?.(value, judgement) ?? []),
    ...protoProblems(parsed.value, exchange.text as string, assumptions),
    ...(checked.success ? extraProblems(value, checked.data, assumptions) : []),
  ];
  if (!checked.success || problems.length > 0) return invalid(firstOfEachPlace(problems), assumptions);
  exchange.body = checked.data;
  return undefined;
}

/** What the contract refuses need not be held against the limits too. */
function firstOfEachPlace(problems: readonly Problem[]): Problem[] {
  const places = new Map<string, Problem>();
  for (const problem of problems) {
    const place = JSON.stringify(problem.loc);
    if (!places.has(place)) places.set(place, problem);
  }
  return [...places.values()];
}

function contentTypeProblem({ request }: Exchange, { otherContentTypes }: Assumptions): Problem | undefined {
  if (otherContentTypes === "accept") return undefined;
  const type = request.headers.get("content-type");
  if (type !== null && /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) return undefined;
  const msg = "Content-Type should be application/json";
  return { loc: ["header", "content-type"], msg, type: "value_error", ...(type === null ? {} : { input: type }) };
}

type Parsed = { readonly value: unknown } | { readonly problem: Problem };

function parse({ text, garbled }: Exchange, { maxBodyDepth }: Assumptions): Parsed {
  if (!text) return { problem: { loc: ["body"], msg: "Field required", type: "missing" } };
  if (garbled) return notJson("The body is not UTF-8");
  if (isDeeper(text, maxBodyDepth)) return notJson(`Nested deeper than ${maxBodyDepth} levels`);
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return notJson((error as Error).message);
  }
}

function notJson(error: string): { problem: Problem } {
  return { problem: { loc: ["body"], msg: "JSON decode error", type: "json_invalid", ctx: { error } } };
}

/** The name itself, or an escape of one of its characters. */
const MAY_HOLD_PROTO = /__proto__|\\u00[5-7]/i;

function protoProblems(sent: unknown, text: string, { protoFields }: Assumptions): Problem[] {
  const problems: Problem[] = [];
  if (protoFields === "accept" || !MAY_HOLD_PROTO.test(text)) return problems;
  walk(sent, ["body"], (loc, name) => {
    if (name !== "__proto__") return;
    problems.push({ loc: [...loc, name], msg: "The name __proto__ is not allowed", type: "value_error" });
  });
  return problems;
}

function extraProblems(sent: unknown, known: unknown, { unknownFields }: Assumptions): Problem[] {
  const problems: Problem[] = [];
  if (unknownFields === "ignore") return problems;
  walkPair(sent, known, ["body"], (loc, input) => {
    problems.push({ loc, msg: "Extra inputs are not permitted", type: "extra_forbidden", input });
  });
  return problems;
}

/** Visits every field name in a value. */
function walk(value: unknown, loc: Loc, visit: (loc: Loc, name: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (!Array.isArray(value)) visit(loc, name);
    walk(child, [...loc, Array.isArray(value) ? Number(name) : name], visit);
  }
}

/** Visits every field that was sent and that the contract's schema did not keep. */
function walkPair(sent: unknown, known: unknown, loc: Loc, visit: (loc: Loc, input: unknown) => void): void {
  if (typeof sent !== "object" || sent === null || typeof known !== "object" || known === null) return;
  for (const [name, child] of Object.entries(sent)) {
    const place = [...loc, Array.isArray(sent) ? Number(name) : name];
    if (Object.hasOwn(known, name)) walkPair(child, (known as Record<string, unknown>)[name], place, visit);
    else visit(place, child);
  }
}
