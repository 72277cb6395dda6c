/** The fields of one item of a seed file. */
export type Fields = Readonly<Record<string, unknown>>;

/** An item with a value of the right kind in every field that there is. */
export type Sample = Readonly<Record<string, unknown>>;

/** What is wrong with an item, and in which field where it is one. */
export interface FieldProblem {
  readonly field: string;
  readonly text: string;
}

/** Compares an item with a sample: a field that the sample lacks, or of another kind, is a problem. */
export function problemOf(item: unknown, sample: Sample | undefined): FieldProblem | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    return { field: "", text: "it must be an object." };
  if (!sample) return undefined;
  for (const [field, value] of Object.entries(item)) {
    if (!Object.hasOwn(sample, field)) {
      return { field, text: `there is no such field; there are ${Object.keys(sample).join(", ")}.` };
    }
    const wanted = kindOf(sample[field]);
    if (!wanted.fits(value)) return { field, text: `it must be ${wanted.name}.` };
  }
  return undefined;
}

interface Kind {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
}

/** What may stand where a sample has this value; where it has null, a text may stand too. */
function kindOf(sample: unknown): Kind {
  if (Array.isArray(sample)) {
    return {
      name: "a list of texts",
      fits: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
    };
  }
  if (sample === null) return { name: "a text or null", fits: (value) => value === null || typeof value === "string" };
  const names: Readonly<Record<string, string>> = { string: "a text", number: "a number", boolean: "true or false" };
  return { name: names[typeof sample] ?? typeof sample, fits: (value) => typeof value === typeof sample };
}
