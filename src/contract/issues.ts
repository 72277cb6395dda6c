import type * as z from "zod/mini";

/** One thing that does not fit a schema, at the deepest place that is known. */
export interface FlatIssue {
  /** Where, from the root of the checked value. */
  readonly path: readonly PropertyKey[];
  /** What the schema says; its own `path` counts from the nearest union. */
  readonly issue: z.core.$ZodIssue;
  /** The value at that place; undefined when there is none. */
  readonly input: unknown;
  /** For a field that is missing: the fields beside it of which one would have done as well, by another branch of a union. */
  readonly alternatives: readonly string[];
}

/**
 * Lists what does not fit, one leaf each. Of a union's branches it follows the one with the fewest issues, the first of
 * them where several have as few: that is the branch which was most likely meant.
 *
 * @param issues The issues of a schema.
 * @param input The value that was checked.
 */
export function flattenIssues(issues: readonly z.core.$ZodIssue[], input: unknown): FlatIssue[] {
  return leaves(issues, []).map(({ path, issue, others }) => {
    const missing = others.filter((other) => valueAt(input, other) === undefined);
    return { path, issue, input: valueAt(input, path), alternatives: missing.map((other) => String(other.at(-1))) };
  });
}

type Path = readonly PropertyKey[];

interface Leaf extends Pick<FlatIssue, "path" | "issue"> {
  /** Where other branches of a union that are as short have an issue in place of this one. */
  readonly others: readonly Path[];
}

function leaves(issues: readonly z.core.$ZodIssue[], above: Path): Leaf[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ path, issue, others: [] }];
    return shortest(issue.errors.map((branch) => leaves(branch, path)));
  });
}

function shortest(branches: readonly Leaf[][]): Leaf[] {
  const best = branches.reduce((shorter, branch) => (branch.length < shorter.length ? branch : shorter));
  const rivals = branches.filter((branch) => branch !== best && branch.length === best.length);
  return best.map((leaf) => ({ ...leaf, others: rivals.flatMap((rival) => replacementOf(leaf, best, rival)) }));
}

/** Where a branch has an issue beside the leaf and in place of it, if that is all in which the two branches differ. */
function replacementOf(leaf: Leaf, best: readonly Leaf[], rival: readonly Leaf[]): readonly Path[] {
  const lost = best.filter(({ path }) => !rival.some((other) => isSame(other.path, path)));
  const extra = rival.filter(({ path }) => !best.some((other) => isSame(other.path, path)));
  const [replacement] = extra;
  if (replacement === undefined || extra.length > 1 || lost.length > 1 || lost[0] !== leaf) return [];
  return isSame(replacement.path.slice(0, -1), leaf.path.slice(0, -1)) ? [replacement.path] : [];
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** Follows own properties alone, so that a name like `constructor` finds nothing where nothing was sent. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<PropertyKey, unknown>)[key];
  }, input);
}
