import { spawnSync } from "node:child_process";
import { ROOT } from "./paths.ts";

/** URLs of pages by name: exports, and the mock's members as `mock.name`. */
export type Symbols = Readonly<Record<string, string>>;

/** The data of a page that VitePress reads. `source` is the file that it is written from; the search adds `note` to the title. */
export interface FrontMatter {
  readonly title: string;
  readonly description: string;
  readonly source?: string | undefined;
  readonly [name: string]: string | boolean | undefined;
}

/** Returns a page with its title. */
export function page(front: FrontMatter, body: string): string {
  return withFrontMatter(front, `# ${front.title}\n\n${body}`);
}

/** Returns Markdown with the data that VitePress reads before it, and the time of the last change to its source. */
export function withFrontMatter({ source, ...front }: FrontMatter, markdown: string): string {
  const lines = Object.entries({ ...front, source }).filter(([, value]) => value !== undefined);
  const changed = source === undefined ? undefined : lastChange(source);
  const data = [
    ...lines.map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    `lastUpdated: ${changed ?? false}`,
  ];
  return `---\n${data.join("\n")}\n---\n\n${markdown}`;
}

/** Returns the time of a file's last commit; undefined without a history. */
function lastChange(file: string): string | undefined {
  if (!changes.has(file)) {
    const log = ["log", "-1", "--format=%cI", "--", file];
    changes.set(file, spawnSync("git", log, { cwd: ROOT, encoding: "utf8" }).stdout?.trim() || undefined);
  }
  return changes.get(file);
}
const changes = new Map<string, string | undefined>();

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

/** Returns the first cell of a row that has an address and is found by the search: a name as code. */
export function anchored(name: string, id = name): string {
  return `\`${name}\` {#${id}}`;
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

/** Returns code with a link at each type that has a page. */
export function linkTypes(code: string, symbols: Symbols): string {
  const linked = code.replaceAll(/\b[A-Z]\w+\b/g, (name) =>
    Object.hasOwn(symbols, name) ? `\`[\`${name}\`](${symbols[name]})\`` : name,
  );
  return `\`${linked}\``.replaceAll("``", "");
}

/** Returns the anchor of a heading, as on GitHub, because guides are read there as well. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
