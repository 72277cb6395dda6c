/** Returns whether a page is searched: guides, and only Current's reference, so that no other version ranks above it. */
export function isSearched(page: string, current: string): boolean {
  return page.startsWith("guides/") || page.startsWith(`reference/${current}/`);
}

/** Matches generic headings in the reference, whose text belongs to the section above. */
const GENERIC =
  /<(h[2-6])[^>]*>\s*(?:Accessors|Call Signature|Constructors|Default|Example|Examples|Implementation of|Index signature|Inherited from|Methods|Overrides|Parameters|Properties|Returns|See|Throws|Type Declaration|Type Parameters?)\s*<a[^>]*>.*?<\/a>\s*<\/\1>/gi;

/** Matches the first cell of a rule's row, which has the rule's id. */
const RULE_CELL = /<td[^>]* id="([A-Z]+-[A-Z0-9-]+)"[^>]*>\1<\/td>/g;

/** Matches the address of an export's page, with its entry point. */
const EXPORT_PAGE = /^reference\/[^/]+\/(?!operations\/)(.+)\/(?!index\b)\w+\.md$/;

/**
 * Returns a page's HTML for the search index. VitePress starts a section at each heading with an anchor; a rule is one too.
 * The title of an export names its entry point, because several entry points export a function `createMock`.
 */
export function searchedHtml(html: string, page: string): string {
  const [, entryPoint] = EXPORT_PAGE.exec(page) ?? [];
  return (entryPoint ? html.replace(/ (?=<a[^>]*>[^<]*<\/a><\/h1>)/, ` · ${entryPoint} `) : html)
    .replace(GENERIC, "<p></p>")
    .replace(RULE_CELL, (_, id: string) => `<h4>${id} <a href="#${id}"></a></h4>`);
}
