/**
 * Replaces the generated block of a page. Without one, adds it after the title.
 *
 * @throws Error when the page has no title either.
 */
export function withGeneratedBlock(page: string, content: string): string {
  const block = `${START}\n\n${content.trim()}\n\n${END}`;
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start >= 0 && end > start) return page.slice(0, start) + block + page.slice(end + END.length);
  const title = /^# .+\n/m.exec(page);
  if (title === null)
    throw new Error(`a page needs a title for its generated block; it starts with: ${page.slice(0, 40)}`);
  const rest = page.slice(title.index + title[0].length).trim();
  return `${title[0]}\n${block}\n${rest === "" ? "" : `\n${rest}\n`}`;
}

const START = "<!-- Written by `npm run generate` from the contracts: -->";
const END = "<!-- End of the generated part. -->";
