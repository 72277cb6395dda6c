/** What a field may hold: the words for it in a message, and the test. */
export interface FieldKind {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
}

/** The fields that an object may have. */
export type Shape = Readonly<Record<string, FieldKind>>;

/** What is wrong with an object, and in which field where it is one. */
export interface FieldProblem {
  readonly field: string;
  readonly text: string;
}

/**
 * Compares an object with a shape: a field that the shape lacks, or of another kind, is a problem; undefined is none.
 *
 * @param others What the fields may hold that the shape lacks, where there may be such.
 */
export function problemOf(given: unknown, shape: Shape | undefined, others?: FieldKind): FieldProblem | undefined {
  if (!isObject(given)) return { field: "", text: "it must be an object." };
  if (!shape) return undefined;
  for (const [field, value] of Object.entries(given)) {
    const kind = Object.hasOwn(shape, field) ? shape[field] : others;
    if (!kind) return { field, text: `there is no such field; there are ${Object.keys(shape).join(", ")}.` };
    if (value !== undefined && !kind.fits(value)) return { field, text: `it must be ${kind.name}.` };
  }
  return undefined;
}

/** Refuses an object that does not fit a shape, so that a typing error never passes for a default. */
export function requireShape(place: string, given: unknown, shape: Shape | undefined, others?: FieldKind): void {
  const problem = problemOf(given, shape, others);
  if (problem) throw new TypeError(`${place}: ${problem.field && `${problem.field}: `}${problem.text}`);
}

/** An object without the fields that are undefined: they count as left out. */
export function stated<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

/** Whether a value is an object with fields: no list, no function, not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value for a message: as JSON, or its type where JSON has no form for it. */
export function shown(value: unknown): string {
  const isPlain = value === null || ["string", "boolean", "object"].includes(typeof value);
  try {
    return (isPlain && JSON.stringify(value)) || String(value);
  } catch {
    return `of type ${typeof value}`;
  }
}
