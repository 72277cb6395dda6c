import type { OpenApiDocument } from "../openapi/index.ts";
import type { Difference } from "./difference.ts";
import { keyOf, nameOf, type Place, placesOf } from "./places.ts";

export { type Difference, formatMarkdown } from "./difference.ts";

/**
 * The effect of a change on the values that are allowed: more of them (`wider`), more where programs expect it, such as in an
 * enum (`more values`), fewer (`narrower`), or others (`different`).
 */
type Effect = "wider" | "more values" | "narrower" | "different" | "harmless";
type Change = readonly [effect: Effect, message: string];

/**
 * Compares the contracts in two OpenAPI documents. Wording, examples and order do not count. Names of scopes and of webhook
 * event types are compared once, not for every schema that lists them.
 */
export function diffContracts(before: OpenApiDocument, after: OpenApiDocument): Difference[] {
  const [old, now] = [placesOf(before, [before, after]), placesOf(after, [before, after])];
  const isListed = (name: string) =>
    ["scope", "event type"].some((kind) => old.has(`${kind} ${name}`) !== now.has(`${kind} ${name}`));
  const places = new Map([...old, ...now]);
  const order = [...places.values()].map(({ part }) => keyOf(part));
  return [...places]
    .toSorted(([, one], [, other]) => order.indexOf(keyOf(one.part)) - order.indexOf(keyOf(other.part)))
    .flatMap(([key, { part, path, parent }]) => {
      const { area, subject, operations = [], isSent = false, isReceived = false } = part;
      const [one, other] = [old.get(key), now.get(key)];
      if (!(one && other) && parent !== undefined) {
        const [from, to] = [old.get(parent), now.get(parent)];
        // What is in a place that is new, gone or of another type is not a difference of its own.
        if (!from || !to || isOtherType(from, to) || isListed(path.slice(from.path.length + 1))) return [];
      }
      return compare(one, other, isListed).map(([effect, text]) => ({
        area,
        subject: subject + path,
        message: effect === "more values" && isReceived ? `${text}; your program may receive it` : text,
        // A request breaks if less is accepted, a response if more can arrive.
        breaking: effect === "different" || (effect === "narrower" && isSent) || (effect === "wider" && isReceived),
        operations,
      }));
    });
}

function compare(before: Place | undefined, after: Place | undefined, isListed: (name: string) => boolean): Change[] {
  if (!before) return after ? [added(after)] : [];
  if (!after) return [removed(before)];
  const required: Change = after.required ? ["narrower", "now required"] : ["wider", "now optional"];
  return [
    ...(before.required === after.required ? [] : [required]),
    ...compareTypes(before.types, after.types),
    ...(isOtherType(before, after) ? [] : [...compareValues(before, after, isListed), ...compareLimits(before, after)]),
  ];
}

function added({ part: { kind, area, schema }, path, required, limits, ...place }: Place): Change {
  const note = `(${limits["route"] ?? ((path === "" && nameOf(schema["$ref"])) || describe(place))})`;
  if (path === "" && kind === "status") return [area === "error" ? "harmless" : "different", `new status ${note}`];
  if (path === "") return ["harmless", `new ${kind}${kind === "operation" ? ` ${note}` : ""}`];
  if (required === undefined) return ["narrower", `only ${describe(place)} is allowed`];
  return required ? ["narrower", `new required field ${note}`] : ["harmless", `new optional field ${note}`];
}

function removed({ part: { kind, area }, path, required, ...place }: Place): Change {
  if (path === "") return [kind === "status" && area === "error" ? "harmless" : "different", `${kind} removed`];
  if (required === undefined) return ["more values", `no longer limited to ${describe(place)}`];
  return ["different", "field removed"];
}

/** Returns the items of a list that another does not have. */
function missingFrom(list: readonly string[], items: readonly string[]): string[] {
  return items.filter((item) => !list.includes(item));
}

/** Returns whether the types differ in more than null. */
function isOtherType({ types: before }: Place, { types: after }: Place): boolean {
  return [...missingFrom(before, after), ...missingFrom(after, before)].some((type) => type !== "null");
}

function compareTypes(before: readonly string[], after: readonly string[]): Change[] {
  const accepts = (types: readonly string[], others: readonly string[]) =>
    types.length === 0 || (others.length > 0 && missingFrom(types, others).length === 0);
  const [isWider, isNarrower] = [accepts(after, before), accepts(before, after)];
  if (isWider && isNarrower) return [];
  const [one, other] = [before, after].map((types) => types.join(" or ") || "any value");
  return [[isWider ? "wider" : isNarrower ? "narrower" : "different", `type is ${other} instead of ${one}`]];
}

function compareValues(before: Place, after: Place, isListed: (name: string) => boolean): Change[] {
  const [old, now] = [before.values, after.values];
  // What an operation accepts is its own difference, also if the name is new.
  const isOwn = (value: string) => after.part.kind === "operation" || !isListed(`${JSON.parse(value)}`);
  const [more, less] = [missingFrom(old, now).filter(isOwn), missingFrom(now, old).filter(isOwn)];
  if (old.length === 0 && more.length > 0) return [["narrower", `only ${list(now)} is allowed`]];
  if (now.length === 0 && less.length > 0) return [["more values", `no longer limited to ${list(old)}`]];
  return [
    ...(more.length > 0 ? [["more values", `new value ${list(more)}`] as const] : []),
    ...(less.length > 0 ? [["narrower", `no longer has the value ${list(less)}`] as const] : []),
  ];
}

/** Compares the other keywords. One with another value counts as breaking, even if it is a looser limit. */
function compareLimits({ limits: old }: Place, { limits: now }: Place): Change[] {
  return Object.keys({ ...old, ...now }).flatMap((keyword): Change[] => {
    const [was, is] = [old[keyword], now[keyword]];
    if (was === is) return [];
    if (was === undefined) return [["narrower", `${keyword} is ${is}`]];
    if (is === undefined) return [["more values", `${keyword} was removed; it was ${was}`]];
    return [["different", `${keyword} is ${is}; it was ${was}`]];
  });
}

function describe({ types, values }: Pick<Place, "types" | "values">): string {
  return values.length > 0 ? list(values) : types.join(" or ") || "any value";
}

/** The number of values of an enum that a message lists. */
const LISTED_VALUES = 5;

function list(values: readonly string[]): string {
  const more = values.length - LISTED_VALUES;
  return values.slice(0, LISTED_VALUES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
