import { COMMON, KNOWN, SYNONYMS, UNSEARCHED } from "./words.ts";

/** Factors for results by the start of their address; the first that matches applies. */
const BOOSTS: readonly (readonly [RegExp, number])[] = [
  [/^guides\/(?:architecture|contributing|releasing|decisions|reporting)/, 0.2],
  [/^guides\/rules\S*#[a-z]/, 1.5],
  [/^guides\/(?:changes|conformance-report|rules)/, 0.5],
  [/^guides\//, 2.5],
  [/^reference\/[^/]+\/(?:operations|errors)\b/, 1.7],
  [/^reference\/[^/]+\/options\b/, 0.9],
  // The page of an export, whose first heading is its name; then its members.
  [/^reference\/.*\/(\w*)(?:\.html)?#\1$/i, 1],
  [/^reference\//, 0.3],
];

/** Matches the page of a framework or a language, which comes first if the query names it. */
const FRAMEWORK = /^guides\/(express|fastify|go|hono|nestjs|nextjs|python|serverless|sveltekit)\b/;

/** MiniSearch options that rank the sections. */
export const searchOptions = {
  prefix: (term: string) => term.length > 2,
  tokenize,
  // At most one letter is wrong.
  fuzzy: (term: string) => (mayBeWrong(term) ? 1 : false),
  weights: { fuzzy: 0.1, prefix: 0.375 },
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

/** Returns a word of a query with its stem, the synonyms of both, and corrections; null for a word without meaning. */
function processTerm(term: string): string | string[] | null {
  const word = term.toLowerCase();
  if (UNSEARCHED.has(word)) return null;
  // The search also finds the words that begin with a stem: `rotat` finds `rotate`.
  const stem = COMMON.has(word) ? word : word.replace(/(?<=\w{4})(?:ing|ions?)$/, "");
  const forms = [word, stem].flatMap((form) => [form, ...(SYNONYMS[form] ?? [])]);
  return [...new Set([...forms, ...(mayBeWrong(word) ? swapped(word) : [])])];
}

/** Returns whether a word of a query may be misspelled. "overage" is not: it does not find "coverage". */
const mayBeWrong = (word: string) => word.length > 4 && !KNOWN.has(word);

/** Returns a word with each two neighboring letters swapped: `retires` becomes `retries`, among others. */
function swapped(word: string): string[] {
  return [...word.slice(1)].map((letter, index) => word.slice(0, index) + letter + word[index] + word.slice(index + 2));
}

function boostDocument(address: string, term: string): number {
  const path = address.replace(/^.*?\/(?=guides\/|reference\/)/, "");
  const [, rule] = /^guides\/rules\S*#([A-Z]+-[A-Z0-9-]+)$/.exec(path) ?? [];
  if (rule !== undefined) return term === joinedId(rule) ? 25 : 0.2;
  const boost = BOOSTS.find(([start]) => start.test(path))?.[1] ?? 1;
  return FRAMEWORK.exec(path)?.[1] === term ? 3 * boost : boost;
}
