import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { invalid } from "../../mock/http/error-response.ts";
import { createMock, type MockOptions } from "../../mock/index.ts";
import { validateEvents } from "../../mock/operations/ingest-events.ts";
import type { OperationContext } from "../../mock/operations/operation.ts";
import { createBodyCheck } from "../../mock/validation/body-check.ts";
import { addExtraProblems, addProtoProblems, ProblemList } from "../../mock/validation/problems.ts";

const COUNT = 2_000;

/** Returns a value that counts how many of its fields are read. */
function counted<Value extends object>(value: Value) {
  const read = { count: 0 };
  const get = (target: Value, name: string | symbol) => {
    if (typeof name === "string" && Object.keys(target).includes(name)) read.count += 1;
    return Reflect.get(target, name);
  };
  return { value: new Proxy(value, { get }), read };
}

/** The context of a request with an organization access token. */
function contextOf(assumptions: MockOptions["assumptions"] = {}): OperationContext {
  const { assumptions: policy } = createMock({ assumptions });
  const credential = { type: "oat", organization_id: "one" };
  return { policy, credential, state: { tables: {} } } as unknown as OperationContext;
}

const fullList = () => {
  const problems = new ProblemList(1);
  for (let index = 0; index < 10; index++) problems.add({ loc: [index], msg: "No", type: "value_error" });
  return problems;
};

describe("G-422-MAX: after ten times as many problems as a 422 lists", () => {
  it("no further item is checked against the contract", () => {
    let checked = 0;
    const item = z.any().check(({ value, issues }) => {
      checked += 1;
      issues.push({ code: "custom", input: value, message: "No" });
    });
    const { check } = createBodyCheck(z.object({ events: z.array(item) }) as never);
    check({ events: Array.from({ length: COUNT }, () => 1) }, new ProblemList(3));
    expect(checked).toBe(30);
  });

  it("no further event is checked beyond the contract", () => {
    const { value: events, read } = counted(Array.from({ length: COUNT }, () => ({})));
    validateEvents({ events }, contextOf(), fullList());
    expect(read.count).toBe(0);
  });

  it("no further field of metadata is checked", () => {
    const pairs = Array.from({ length: COUNT }, (_, index) => [`key-${index}`, 1]);
    const { value: metadata, read } = counted(Object.fromEntries(pairs));
    const body = { events: [{ name: "api.call", metadata }] };
    validateEvents(body, contextOf({ metadata: { maxKeyLength: 1 } }), new ProblemList(1));
    expect(read.count).toBe(10);
  });

  it.each(["the name __proto__", "unknown fields"])("no further value is searched for %s", (what) => {
    const { value: sent, read } = counted(Array.from({ length: COUNT }, () => JSON.parse('{"__proto__":1}')));
    const kept = Array.from({ length: COUNT }, () => ({}));
    if (what === "unknown fields") addExtraProblems(sent, kept, new ProblemList(3));
    else addProtoProblems(sent, "__proto__", new ProblemList(3));
    expect(read.count).toBe(30);
  });
});

it("G-422-INPUT: only as much of an input is read as is needed to know that it is too long", () => {
  const { value, read } = counted(Array.from({ length: COUNT }, () => "x".repeat(10)));
  const { body } = invalid([{ loc: ["body"], msg: "No", type: "value_error", input: value }]);
  expect(body).toEqual({ detail: [{ loc: ["body"], msg: "No", type: "value_error" }] });
  expect(read.count).toBeLessThan(100);
});
