/** How much a section counts, by the start of its address; the first that matches applies. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^guides\/(?:architecture|contributing|reporting)/, 0.2],
  [/^guides\/rules/, 0.3],
  [/^guides\//, 2],
  // One of many scopes: their names are common words.
  [/^reference\/.*\/scopes\S*:/, 0.3],
  [/^reference\/[^/]+\/(?:operations|event-types|scopes)\b/, 3],
  [/^reference\/[^/]+\/(?:options|errors)\b/, 1.5],
  // The page of an export, whose first heading is its name; then its members.
  [/^reference\/.*\/(\w*)(?:\.html)?#\1$/i, 1.5],
  [/^reference\//, 0.3],
];

/** MiniSearch options that rank the sections: words in headings count most. */
export const searchOptions = {
  prefix: (term: string) => term.length > 2,
  // At most one letter is wrong.
  fuzzy: (term: string) => (term.length > 4 ? 1 : false),
  weights: { fuzzy: 0.1, prefix: 0.375 },
  boost: { title: 6, titles: 3, text: 1 },
  boostDocument: (address: string): number => {
    const path = address.replace(/^.*?\/(?=guides\/|reference\/)/, "");
    return WEIGHTS.find(([start]) => start.test(path))?.[1] ?? 1;
  },
};
