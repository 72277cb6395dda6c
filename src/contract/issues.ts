import type * as z from "zod/mini";

/** One thing that does not fit a schema, at the deepest place that is known. */
export interface FlatIssue {
  /** Where, from the root of the checked value. */
  readonly path: readonly PropertyKey[];
  /** What the schema says; its own `path` counts from the nearest union. */
  readonly issue: z.core.$ZodIssue;
  /** The value at that place; undefined when there is none. */
  readonly input: unknown;
}

/**
 * Lists what does not fit, one leaf each. Of a union's branches it follows the one with the fewest issues, the first of
 * them where several have as few: that is the branch which was most likely meant.
 *
 * @param issues The issues of a schema.
 * @param input The value that was checked.
 */
export function flattenIssues(issues: readonly z.core.$ZodIssue[], input: unknown): FlatIssue[] {
  return leaves(issues, []).map(({ path, issue }) => ({ path, issue, input: valueAt(input, path) }));
}

type Leaf = Omit<FlatIssue, "input">;

function leaves(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): Leaf[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ path, issue }];
    return shortest(issue.errors.map((branch) => leaves(branch, path)));
  });
}

function shortest(branches: readonly Leaf[][]): Leaf[] {
  return branches.reduce((best, branch) => (branch.length < best.length ? branch : best));
}

/** Follows own properties alone, so that a name like `constructor` finds nothing where nothing was sent. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<PropertyKey, unknown>)[key];
  }, input);
}
