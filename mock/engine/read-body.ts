import type { Operation } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { limits } from "../operations/limits/index.ts";
import type { Judgement } from "../operations/limits/limit.ts";
import type { BodyCheck } from "../validation/body-check.ts";
import { isDeeper, isLarger } from "../validation/depth.ts";
import { addExtraProblems, addProtoProblems } from "../validation/field-walk.ts";
import { applyLeniency } from "../validation/leniency.ts";
import { ProblemList } from "../validation/problem-list.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { invalid, type Problem } from "./refusals.ts";

/** The body of a request, with what it is checked by. */
export interface BodyReading {
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly body: BodyCheck;
  readonly judgement: Judgement;
  /** Called when a check that was done in pieces goes on: a reply ends it, since what came before no longer holds. */
  resume(): Reply | undefined;
}

/**
 * Reads and checks a JSON body. One answer names the places in it that are wrong, each of them once. A body with long
 * lists is checked in pieces, with other requests in between; what depends on the state is checked at the end, at once.
 */
export function readBody(reading: BodyReading): Reply | undefined | Promise<Reply | undefined> {
  const { exchange, operation, body, judgement, resume } = reading;
  const { assumptions } = judgement;
  const parsed = parse(exchange, assumptions);
  if ("problem" in parsed) return invalid([parsed.problem], assumptions);
  applyLeniency(parsed.value, body.schema, assumptions);
  const problems = new ProblemList(assumptions.maxProblems);
  const finish = (kept: unknown) => {
    const isKept = problems.isEmpty;
    limits[operation.id]?.(parsed.value, judgement, problems);
    addProtoProblems(parsed.value, exchange.text as string, assumptions, problems);
    if (isKept) addExtraProblems(parsed.value, kept, assumptions, problems);
    if (!problems.isEmpty) return invalid(problems.list(), assumptions);
    exchange.body = kept;
    return undefined;
  };
  const checked = body.check(parsed.value, problems);
  return checked instanceof Promise ? checked.then((kept) => resume() ?? finish(kept)) : finish(checked);
}

type Parsed = { readonly value: unknown } | { readonly problem: Problem };

function parse(exchange: Exchange, assumptions: Assumptions): Parsed {
  const { text, garbled } = exchange;
  const { maxBodyDepth, maxBodyValues } = assumptions;
  if (!text) return { problem: { loc: ["body"], msg: "Field required", type: "missing" } };
  const problem = contentTypeProblem(exchange, assumptions);
  if (problem) return { problem };
  if (garbled) return notJson("The body is not UTF-8");
  if (isDeeper(text, maxBodyDepth)) return notJson(`Nested deeper than ${maxBodyDepth} levels`);
  if (isLarger(text, maxBodyValues)) return notJson(`More than ${maxBodyValues} names and values`);
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return notJson((error as Error).message);
  }
}

function contentTypeProblem({ request }: Exchange, { otherContentTypes }: Assumptions): Problem | undefined {
  if (otherContentTypes === "accept") return undefined;
  const type = request.headers.get("content-type");
  if (type !== null && /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) return undefined;
  const msg = "Content-Type should be application/json";
  return { loc: ["header", "content-type"], msg, type: "value_error", ...(type === null ? {} : { input: type }) };
}

function notJson(error: string): { problem: Problem } {
  return { problem: { loc: ["body"], msg: "JSON decode error", type: "json_invalid", ctx: { error } } };
}
