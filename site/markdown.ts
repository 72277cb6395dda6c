/** URLs of pages by name: exports, and the mock's members as `mock.name`. */
export type Symbols = Readonly<Record<string, string>>;

/** Returns a table in Markdown. A cell may contain Markdown; its line breaks are removed. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))];
  return `${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`;
}

function cell(text: string): string {
  return text
    .replaceAll(/\n+- /g, "<br>• ")
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}

/** Returns a block of code. */
export function codeBlock(language: string, code: string, title?: string): string {
  return `\`\`\`${language}${title === undefined ? "" : ` [${title}]`}\n${code.trimEnd()}\n\`\`\`\n`;
}

/** Formats a JSON value. Lists of strings and numbers stay on one line. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, list: string) => `[${list.replaceAll(/\s+/g, " ")}]`,
  );
}

/** Returns blocks of code as tabs. */
export function codeGroup(blocks: readonly string[]): string {
  return `::: code-group\n\n${blocks.join("\n")}\n:::\n`;
}

/** Returns text and code side by side, or stacked on a narrow screen. */
export function beside(text: string, code: string): string {
  return `<div class="beside"><div class="beside-text">\n\n${text}\n</div><div class="beside-code">\n\n${code}\n</div></div>\n`;
}

/** Returns a page with its title and its description for search engines. */
export function page(front: Readonly<Record<string, string | boolean>>, body: string): string {
  return withFrontMatter(front, `# ${front["title"]}\n\n${body}`);
}

/** Returns Markdown with the data that VitePress reads before it. */
export function withFrontMatter(data: Readonly<Record<string, string | boolean>>, markdown: string): string {
  const lines = Object.entries(data).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${markdown}`;
}

/** Returns a line of small text for the end of a table cell. */
export function small(parts: readonly string[]): string {
  return `<br><span class="field-note">${parts.filter((part) => part !== "").join(" · ")}</span>`;
}

/** Returns words as a list: "a, b or c". */
export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Returns links to the types that a declaration names, except its own: code has no links. */
export function linksToTypes(code: string, symbols: Symbols, own?: string): string {
  const unlinked = [own, ...(code.match(/(?<=\binfer )\w+/g) ?? [])];
  const names = [...new Set(code.match(/\b[A-Z]\w+/g))].filter((name) => !unlinked.includes(name));
  const links = names.filter((name) => Object.hasOwn(symbols, name)).map((name) => linkTypes(name, symbols));
  return links.length === 0 ? "" : `\n\nSee ${links.join(", ")}.\n`;
}

/** Returns a type's name as a link to its page, if it has one. */
export function linkTypes(name: string, symbols: Symbols): string {
  return Object.hasOwn(symbols, name) ? `[\`${name}\`](${symbols[name]})` : `\`${name}\``;
}
