import { COMMON, SYNONYMS, UNSEARCHED } from "./words.ts";

/** Factors for results by the start of their address; the first that matches applies. */
const BOOSTS: readonly (readonly [RegExp, number])[] = [
  [/^guides\/(?:architecture|contributing|releasing|decisions|reporting)/, 0.2],
  [/^guides\/rules\S*#[a-z]/, 1.5],
  [/^guides\/(?:changes|conformance-report|rules)/, 0.5],
  [/^guides\/python/, 1.2],
  [/^guides\/coding-agents/, 1.5],
  [/^guides\//, 2.5],
  [/^reference\/[^/]+\/(?:operations|errors)\b/, 1.7],
  [/^reference\/[^/]+\/options\b/, 0.9],
  // The page of an export, whose first heading is its name; then its members.
  [/^reference\/.*\/(\w*)(?:\.html)?#\1$/i, 1],
  [/^reference\//, 0.3],
];

/** MiniSearch options that rank the sections. */
export const searchOptions = {
  prefix: (term: string) => term.length > 2,
  tokenize,
  // "overage" does not find "coverage".
  fuzzy: (term: string) => (term.length > 7 ? 0.15 : false),
  boost: { title: 4, titles: 2, text: 1 },
  boostTerm: (term: string) => (COMMON.has(term) ? 0.3 : 1),
  processTerm,
  boostDocument,
};

/** Splits a query into words, as the index does, and adds the rule ids in it, each as one word. */
function tokenize(query: string): string[] {
  const ids = query.match(/[a-z]+(?:-[a-z0-9]+)+/gi) ?? [];
  return [...query.split(/[\s\p{Z}\p{P}]+/u), ...ids.map(joinedId)];
}

/** Returns the word that finds only the row of a rule or an assumption: `xidgevtmax` for `G-EVT-MAX`. No other word starts so. */
export function joinedId(id: string): string {
  return `xid${id.replaceAll("-", "").toLowerCase()}`;
}

/** Returns a word of a query with its stem and the synonyms of both; null for a word without meaning. */
function processTerm(term: string): string | string[] | null {
  const word = term.toLowerCase();
  if (UNSEARCHED.has(word)) return null;
  // The search also finds the words that begin with a stem: `rotat` finds `rotate`.
  const stem = COMMON.has(word) ? word : word.replace(/(?<=\w{4})(?:ing|ions?)$/, "");
  return [...new Set([word, stem].flatMap((form) => [form, ...(SYNONYMS[form] ?? [])]))];
}

function boostDocument(address: string, term: string): number {
  const path = address.replace(/^.*?\/(?=guides\/|reference\/)/, "");
  const [, rule] = /^guides\/rules\S*#([A-Z]+-[A-Z0-9-]+)$/.exec(path) ?? [];
  if (rule !== undefined) return term === joinedId(rule) ? 25 : 0.2;
  return BOOSTS.find(([start]) => start.test(path))?.[1] ?? 1;
}
