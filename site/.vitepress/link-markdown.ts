import { readFileSync } from "node:fs";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import type { Symbols } from "../markdown.ts";
import { ROOT } from "../paths.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

const RULES = "guides/rules.md";

/** Links rule ids to their rows and, in guides, code to the symbol that it names. */
export function linkMarkdown(md: MarkdownRenderer, symbols: Symbols): void {
  const rules = readFileSync(`${ROOT}docs/rules.md`, "utf8");
  const ids = new Set([...rules.matchAll(/^\| ([A-Z]+-[A-Z0-9-]+) \|/gm)].map(([, id]) => id ?? ""));
  md.core.ruler.push("site-links", ({ tokens, env }) => {
    const { relativePath } = env as Partial<MarkdownEnv>;
    // VitePress also parses headings, without a page.
    if (relativePath === undefined) return;
    const isGuide = relativePath.startsWith("guides/");
    labelCells(tokens);
    tokens.forEach((token, index) => {
      const before = tokens[index - 1];
      if (token.type !== "inline" || before?.type === "heading_open") return;
      if (relativePath === RULES && before?.type === "td_open" && ids.has(token.content)) {
        before.attrSet("id", token.content);
        return;
      }
      token.children = linked(token.children ?? [], (child) => {
        if (child.type === "code_inline") return isGuide ? symbolLink(child, symbols) : [child];
        return child.type === "text" ? ruleLinks(child, ids) : [child];
      });
    });
  });
  // Vue drops a line break between two links.
  md.renderer.rules.softbreak = () => " ";
  // Guides contain no HTML in their text: "<token>" is a placeholder. VitePress adds an entity to each heading.
  const { html_inline: html } = md.renderer.rules;
  md.renderer.rules.html_inline = (tokens, index, options, env: MarkdownEnv, self) => {
    const shown = html?.(tokens, index, options, env, self) ?? "";
    return env.relativePath?.startsWith("guides/") && shown.startsWith("<") ? md.utils.escapeHtml(shown) : shown;
  };
}

/** Capitalizes column headings, except code. Gives each cell its column's, which narrow screens show in front of it. */
function labelCells(tokens: readonly Token[]): void {
  let headings: string[] = [];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === "table_open") headings = [];
    if (token.type === "th_open") {
      const parts = tokens[index + 1]?.children ?? [];
      const [first] = parts;
      if (first?.type === "text") first.content = first.content.replace(/^./, (letter) => letter.toUpperCase());
      headings.push(parts.map(({ content }) => content).join(""));
    }
    if (token.type === "tr_open") column = 0;
    if (token.type === "td_open") token.attrSet("data-label", headings[column++] ?? "");
  });
}

/** Replaces tokens that are not inside a link. */
function linked(tokens: readonly Token[], replace: (token: Token) => Token[]): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type === "link_open") leaveToBrowser(token);
    depth += token.type === "link_open" ? 1 : token.type === "link_close" ? -1 : 0;
    return depth > 0 ? [token] : replace(token);
  });
}

function symbolLink(token: Token, symbols: Symbols): Token[] {
  const name = token.content.replace(/\(\)$/, "");
  return Object.hasOwn(symbols, name) ? link(symbols[name] as string, token) : [token];
}

function ruleLinks(token: Token, ids: ReadonlySet<string>): Token[] {
  const parts = token.content.split(/\b([A-Z]{1,4}-[A-Z0-9][A-Z0-9-]*)\b/).filter((part) => part !== "");
  return parts.flatMap((part) => {
    const text = made(token, "text", "", 0, part);
    return ids.has(part) ? link(`/guides/rules#${part}`, text) : [text];
  });
}

function link(href: string, inner: Token): Token[] {
  const open = made(inner, "link_open", "a", 1);
  open.attrSet("href", href);
  leaveToBrowser(open);
  return [open, inner, made(inner, "link_close", "a", -1)];
}

/** Leaves a link to a rule to the browser, which then marks the row. */
function leaveToBrowser(open: Token): void {
  if (/^\/guides\/rules#/.test(open.attrGet("href") ?? "")) open.attrSet("class", "vp-raw");
}

/** Creates a token like another. */
function made(like: Token, type: string, tag: string, nesting: -1 | 0 | 1, content = ""): Token {
  const Made = like.constructor as new (...values: [string, string, number]) => Token;
  return Object.assign(new Made(type, tag, nesting), { content });
}
