import type { Schema } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { limits } from "./limits/index.ts";
import type { Judgement, Loc } from "./limits/limit.ts";
import { type Issues, problemsOf } from "./problems.ts";
import { invalid, type Problem } from "./refusals.ts";
import type { Route } from "./routes.ts";

/** Reads and checks a JSON body. One answer names everything that is wrong with it. */
export function readBody(exchange: Exchange, { operation }: Route, judgement: Judgement): Reply | undefined {
  const { assumptions } = judgement;
  const problem = contentTypeProblem(exchange, assumptions);
  if (problem) return invalid([problem], assumptions);
  const parsed = parse(exchange.text);
  if ("problem" in parsed) return invalid([parsed.problem], assumptions);
  const checked = (operation.request.body as Schema).safeParse(parsed.value);
  const problems = [
    ...(checked.success ? [] : shapeProblems(checked.error.issues, parsed.value, assumptions)),
    ...(limits[operation.id]?.(parsed.value, judgement) ?? []),
    ...protoProblems(parsed.value, exchange.text as string, assumptions),
    ...(checked.success ? extraProblems(parsed.value, checked.data, assumptions) : []),
  ];
  if (problems.length > 0) return invalid(problems, assumptions);
  exchange.body = parsed.value;
  return undefined;
}

function shapeProblems(issues: Issues, value: unknown, { bothCustomerIds }: Assumptions): Problem[] {
  const problems = problemsOf(issues, value, "body");
  return problems.filter(({ ctx }) => !ctx?.["exclusive"] || bothCustomerIds === "reject");
}

function contentTypeProblem({ request }: Exchange, { otherContentTypes }: Assumptions): Problem | undefined {
  if (otherContentTypes === "accept") return undefined;
  const type = request.headers.get("content-type");
  if (type !== null && /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) return undefined;
  const msg = "Content-Type should be application/json";
  return { loc: ["header", "content-type"], msg, type: "value_error", ...(type === null ? {} : { input: type }) };
}

function parse(text: string | undefined): { value: unknown } | { problem: Problem } {
  if (!text) return { problem: { loc: ["body"], msg: "Field required", type: "missing" } };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const ctx = { error: (error as Error).message };
    return { problem: { loc: ["body"], msg: "JSON decode error", type: "json_invalid", ctx } };
  }
}

function protoProblems(sent: unknown, text: string, { protoFields }: Assumptions): Problem[] {
  const problems: Problem[] = [];
  if (protoFields === "accept" || !/__proto__|\\u005f/i.test(text)) return problems;
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
