/** Returns whether a page is searched: guides, and only Current's reference, so that no other version ranks above it. */
export function isSearched(page: string, current: string): boolean {
  return page.startsWith("guides/") || /^reference\/(?!20\d\d)/.test(page) || page.startsWith(`reference/${current}/`);
}

/** Matches generic headings in the reference, whose text belongs to the section above. */
const GENERIC =
  /<(h[2-6])[^>]*>\s*(?:Accessors|Call Signature|Constructors|Default|Example|Examples|Implementation of|Index signature|Inherited from|Methods|Overrides|Parameters|Properties|Returns|See|Throws|Type Declaration|Type Parameters?)\s*<a[^>]*>.*?<\/a>\s*<\/\1>/gi;

/** Matches the first cell of a row with an address, such as a rule, an option or a scope. */
const ROW = /<td[^>]* id="([^"]+)"[^>]*>(.*?)<\/td>/g;

/**
 * Returns a page's HTML for the search index, in which VitePress starts a section at each heading with an anchor. A row with
 * an address is one too, so tables become text. A note in the front matter is searched as part of the title.
 */
export function searchedHtml(html: string, note: string | undefined): string {
  return (note ? html.replace(/ (?=<a[^>]*>[^<]*<\/a><\/h1>)/, ` · ${note} `) : html)
    .replace(GENERIC, "<p></p>")
    .replace(ROW, (_, id: string, title: string) => `<h4>${title} <a href="#${id}"></a></h4>`)
    .replaceAll(/<\/?(?:table|thead|tbody|tr|th|td)\b[^>]*>/g, " ");
}
