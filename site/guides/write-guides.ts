import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, posix } from "node:path";
import { type FrontMatter, withFrontMatter } from "../markdown.ts";
import { PAGES, ROOT } from "../paths.ts";
import { allGuides, guideGroups, guideUrl, textOf } from "./guide-list.ts";

/** A link in Markdown to a file of the project. */
const FILE_LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

/** Writes the guides and the files that they link to. Links lead to the site's pages. */
export function writeGuides(): void {
  const titles = new Map(allGuides().map(({ file, title }) => [file, title]));
  cpSync(`${ROOT}docs/images`, `${PAGES}/guides/images`, { recursive: true });
  for (const [file, title] of titles) {
    const text = textOf(file);
    const linked = text.replace(/^# .*/, `# ${title}`).replace(FILE_LINK, (_, target: string, hash = "") => {
      const url = siteLink(posix.join(dirname(file), target), titles);
      // The page of a file has no headings.
      return `](${url}${url.startsWith("/files/") ? "" : hash})`;
    });
    const isListed = guideGroups().some(([, guides]) => guides.some((guide) => guide.file === file));
    const pager = isListed ? {} : { prev: false, next: false };
    writePage(guideUrl(file), { title, description: descriptionOf(text) ?? title, source: file, ...pager }, linked);
  }
}

/** Returns the first paragraph of a guide without its Markdown, cut after a sentence. */
function descriptionOf(markdown: string): string | undefined {
  const paragraph = markdown.split(/\n{2,}/).find((text) => /^[\w`*[]/.test(text));
  const text = paragraph
    ?.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]|:$/g, "")
    .replaceAll(/[\s"]+/g, " ");
  return text && (/^.{40,200}?[.?](?= |$)/.exec(text)?.[0] ?? text);
}

/** Writes a page of Markdown with its title and description. */
function writePage(url: string, data: FrontMatter, text: string): void {
  const file = `${PAGES}${url.endsWith("/") ? `${url}index` : url}.md`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, withFrontMatter(data, text));
}

/** Returns the site's URL for a linked project file. A file that is not a guide receives a page with its text. */
function siteLink(file: string, guides: ReadonlyMap<string, string>): string {
  if (guides.has(file) || /^versions\/.*CHANGES/.test(file)) return guideUrl(file);
  if (file === "README.md") return "/";
  if (/^versions\/[^/]+\/openapi\.json$/.test(file)) return file.replace("versions", "/reference");
  if (file.startsWith("docs/images/")) return `/guides/${file.slice("docs/".length)}`;
  if (!existsSync(ROOT + file)) throw new Error(`A guide links to ${file}, which does not exist.`);
  if (/\.(?:svg|png)$/.test(file)) {
    cpSync(ROOT + file, `${PAGES}/files/${file}`);
    return `/files/${file}`;
  }
  const url = `/files/${file.replace(/\.(\w+)$/, "-$1")}`;
  const language = extname(file).slice(1);
  const code = `# ${file}\n\n\`\`\`\`${language}\n${readFileSync(ROOT + file, "utf8")}\`\`\`\`\n`;
  writePage(url, { title: file, description: `The file ${file} of the project.`, source: file }, code);
  return url;
}
