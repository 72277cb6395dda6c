import type { Reflection } from "typedoc";
import type { GuidePage, GuidePages } from "../model.ts";

/** How many guides a reference page links to. */
const MOST = 3;

/**
 * Returns a function that finds the guides for an export: those that explain it, then those that mention it in code, most
 * mentions first; if there are none, the guides that explain its module.
 */
export function guideFinder(
  guides: readonly GuidePages[],
  slugs: ReadonlyMap<Reflection, string>,
): (reflection: Reflection) => readonly GuidePage[] {
  const pages = guides.flatMap((group) => group.guides);
  const explaining = pages.filter(({ explains }) => explains !== undefined);
  const codes = new Map(explaining.map((guide) => [guide, codeOf(guide)]));
  return (reflection) => {
    const slug = slugs.get(reflection);
    const module = slug ?? slugs.get(reflection.parent as Reflection) ?? "";
    const about = (name: string) => [
      ...explaining.filter(({ explains }) => explains?.includes(name)),
      ...explaining.filter(({ explains }) => explains?.some((each) => isEnding(each) && name.endsWith(each.slice(1)))),
    ];
    const named = slug === undefined ? [...about(reflection.name), ...mentions(codes, reflection.name)] : [];
    return [...new Set(named.length > 0 ? named : about(module))].slice(0, MOST);
  };
}

/** Throws if a guide explains an entry point or an export that does not exist. */
export function requireExplained(guides: readonly GuidePages[], known: ReadonlySet<string>): void {
  for (const { file, explains = [] } of guides.flatMap((group) => group.guides)) {
    const missing = explains.filter((name) => !isEnding(name) && !known.has(name));
    if (missing.length > 0)
      throw new Error(`site/guides.ts: ${file} explains ${missing.join(", ")}, which does not exist.`);
  }
}

function isEnding(explained: string): boolean {
  return explained.startsWith("*");
}

function codeOf({ page }: GuidePage): string {
  return page.content.map((part) => (part.kind === "code" ? part.text : "")).join("\n");
}

function mentions(codes: ReadonlyMap<GuidePage, string>, name: string): readonly GuidePage[] {
  const word = new RegExp(`(?<![\\w.])${name}(?!\\w)`, "g");
  return [...codes]
    .map(([guide, code]) => ({ guide, count: code.match(word)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .map(({ guide }) => guide);
}
