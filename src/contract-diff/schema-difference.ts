import type { Difference } from "./difference.ts";
import type { Effect, SchemaChange } from "./schema/schema-change.ts";
import type { Use } from "./uses.ts";

/** Converts a change of a schema to a difference. Whether it breaks a program depends on where the schema is used. */
export function schemaDifference(
  { path, change, effect, message, values }: SchemaChange,
  { area, subject }: Pick<Difference, "area" | "subject">,
  uses: readonly Use[],
): Difference {
  return {
    area,
    change,
    subject: subject + path,
    message: message + adviceOn(effect, uses),
    breaking: isBreaking(effect, uses),
    operations: operationsIn(uses),
    ...(values && { values }),
  };
}

/** Returns the ids of the operations in some uses, in their order. */
export function operationsIn(uses: readonly Use[]): string[] {
  return [...new Set(uses.flatMap(({ operation }) => operation ?? []))];
}

/** A request breaks if less is accepted, a response if more can arrive. */
function isBreaking(effect: Effect, uses: readonly Use[]): boolean {
  if (effect === "different") return true;
  return uses.some(({ part }) => effect === (part === "request" ? "narrower" : "wider"));
}

function adviceOn(effect: Effect, uses: readonly Use[]): string {
  const isReceived = uses.some(({ part }) => part !== "request");
  return effect === "more values" && isReceived ? "; your program may receive it" : "";
}
