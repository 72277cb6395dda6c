import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, posix } from "node:path";
import { allGuides, guideUrl, unlistedFiles } from "./guides.ts";
import { PAGES, ROOT } from "./paths.ts";

/** A link in Markdown to a file of the project. */
const FILE_LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

/** Writes the guides, with links that lead to pages of the site, and the files that they link to. */
export function writeGuides(): void {
  const guides = allGuides();
  const listed = guides.map(({ file, title, summary, keywords }) => {
    return { file, title, keywords, description: summary.replaceAll("`", "") };
  });
  const unlisted = unlistedFiles().map((file) => ({
    file,
    title: headingOf(file),
    keywords: undefined,
    description: headingOf(file),
  }));
  const files = new Set([...listed, ...unlisted].map(({ file }) => file));
  cpSync(`${ROOT}docs/images`, `${PAGES}/guides/images`, { recursive: true });
  for (const { file, ...data } of [...listed, ...unlisted]) {
    const text = readFileSync(ROOT + file, "utf8").replace(FILE_LINK, (_, target: string, hash = "") => {
      return `](${siteLink(posix.join(dirname(file), target), files)}${hash})`;
    });
    writePage(guideUrl(file), data, text);
  }
}

/** Writes a page of Markdown with its title and description. */
export function writePage(url: string, data: Readonly<Record<string, unknown>>, text: string): void {
  const file = `${PAGES}${url.endsWith("/") ? `${url}index` : url}.md`;
  mkdirSync(dirname(file), { recursive: true });
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  const lines = entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  writeFileSync(file, `---\n${lines.join("\n")}\n---\n\n${text}`);
}

function headingOf(file: string): string {
  return /^# (.*)/.exec(readFileSync(ROOT + file, "utf8"))?.[1] ?? file;
}

/** Returns where a link to a file of the project leads on the site. A file that is no guide gets a page with its text. */
function siteLink(file: string, guides: ReadonlySet<string>): string {
  if (guides.has(file)) return guideUrl(file);
  if (file === "README.md") return "/";
  if (file.startsWith("docs/images/")) return `/guides/${file.slice("docs/".length)}`;
  if (!existsSync(ROOT + file)) throw new Error(`A guide links to ${file}, which does not exist.`);
  if (/\.(?:svg|png)$/.test(file)) return copied(file);
  const url = `/files/${file.replace(/\.(\w+)$/, "-$1")}`;
  const language = extname(file).slice(1);
  const code = `# ${file}\n\n\`\`\`\`${language}\n${readFileSync(ROOT + file, "utf8")}\`\`\`\`\n`;
  writePage(url, { title: file, description: `The file ${file} of the project.`, search: false }, code);
  return url;
}

function copied(file: string): string {
  cpSync(ROOT + file, `${PAGES}/files/${file}`, { recursive: true });
  return `/files/${file}`;
}
