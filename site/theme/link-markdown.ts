import type { DefaultThemeRenderContext } from "typedoc";
import type { SiteModel } from "../model.ts";
import { formatLink } from "../playground/link.ts";
import { playablePrograms } from "../playground/playable-programs.ts";

/** The part of a token of markdown-it that links need. */
export interface Token {
  type: string;
  readonly info: string;
  content: string;
  children: Token[] | null;
  attrSet(name: string, value: string): void;
  attrGet(name: string): string | null;
}

interface State {
  readonly tokens: Token[];
  readonly Token: new (type: string, tag: string, nesting: number) => Token;
}

/** The part of the Markdown parser that TypeDoc passes to `markdownItLoader`. */
export interface MarkdownParser {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
}

/** A comment in a guide that becomes a link to the playground: `<!-- playground: panel=webhook -->`. */
const PLAYGROUND_COMMENT = /^<!-- playground: (\S+) -->/;

/** Adds links to Markdown: ids of rules lead to their rows, and inline code leads to the symbol that it names. */
export class LinkMarkdown {
  readonly #model: SiteModel;
  #context: DefaultThemeRenderContext | undefined;

  constructor(model: SiteModel) {
    this.#model = model;
  }

  /** Runs a function that renders Markdown of a page. */
  during<Result>(context: DefaultThemeRenderContext, render: () => Result): Result {
    const outer = this.#context;
    this.#context = context;
    try {
      return render();
    } finally {
      this.#context = outer;
    }
  }

  /** Adds the rule to a parser of Markdown. */
  readonly load = (parser: MarkdownParser): void => {
    parser.core.ruler.push("playground-links", (state) => this.#addPlaygroundLinks(state));
    parser.core.ruler.push("site-links", ({ tokens, Token: Made }) => {
      tokens.forEach((token, index) => {
        const before = tokens[index - 1];
        if (before?.type === "td_open" && this.#markRow(before, token)) return;
        if (before?.type === "heading_open") nameCode(token, Made);
        if (before?.type === "heading_open" || token.type !== "inline" || !token.children) return;
        token.children = this.#linked(token.children, Made);
      });
    });
  };

  /** Links each program that runs in the playground to it, and replaces comments with links. */
  #addPlaygroundLinks({ tokens, Token: Made }: State): void {
    const base = this.#context?.urlTo(this.#model.playground);
    for (const token of tokens) {
      const [, fragment] = token.type === "html_block" ? (PLAYGROUND_COMMENT.exec(token.content) ?? []) : [];
      if (fragment !== undefined) token.content = playgroundLink(`${base}#${fragment}`);
    }
    for (const { index, code } of playablePrograms(tokens).reverse()) {
      const link = new Made("html_block", "", 0);
      link.content = playgroundLink(`${base}#${formatLink({ panel: "code", code })}`);
      tokens.splice(index + 1, 0, link);
    }
  }

  /** Gives the first cell of a row of the rules an id, so that links can lead to it. Returns false for other cells. */
  #markRow(cell: Token, { content }: Token): boolean {
    const isRule = this.#context?.page.model === this.#model.rules && this.#model.ruleIds.has(content);
    if (isRule) cell.attrSet("id", content);
    return isRule;
  }

  #linked(tokens: readonly Token[], Made: State["Token"]): Token[] {
    let depth = 0;
    return tokens.flatMap((token) => {
      depth += depthChange(token);
      if (depth > 0) return [token];
      if (token.type === "code_inline") return this.#symbolLink(token, Made);
      return token.type === "text" ? this.#ruleLinks(token, Made) : [token];
    });
  }

  #symbolLink(token: Token, Made: State["Token"]): Token[] {
    const context = this.#context;
    if (!context?.page.model.isDocument()) return [token];
    if (token.content === openApiPath(this.#model)) return wrap(context.relativeURL("openapi.json"), token, Made);
    const target = this.#model.symbols.get(token.content.replace(/\(\)$/, ""));
    return target ? wrap(context.urlTo(target) ?? "#", token, Made) : [token];
  }

  #ruleLinks(token: Token, Made: State["Token"]): Token[] {
    const parts = token.content.split(/\b([A-Z]{1,4}-[A-Z0-9][A-Z0-9-]*)\b/);
    if (parts.length === 1) return [token];
    const context = this.#context as DefaultThemeRenderContext;
    return parts.flatMap((part) => {
      const text = new Made("text", "", 0);
      text.content = part;
      if (!this.#model.ruleIds.has(part)) return part === "" ? [] : [text];
      return wrap(`${context.urlTo(this.#model.rules)}#${part}`, text, Made);
    });
  }
}

/** Returns the path from which programs import the OpenAPI document of a version. */
export function openApiPath({ version }: SiteModel): string {
  return `@billing-service/sdk/${version.name}/openapi.json`;
}

/** Makes code part of the text of a heading: TypeDoc derives anchors only from tokens of text. */
function nameCode({ children }: Token, Made: State["Token"]): void {
  for (const token of children ?? []) {
    if (token.type !== "code_inline") continue;
    const text = new Made("text", "", 0);
    text.content = token.content;
    token.children = [text];
  }
}

/** Returns how a token changes the number of links around what follows. */
function depthChange({ type, content }: Token): number {
  if (type === "link_open" || (type === "html_inline" && /^<a\b/.test(content))) return 1;
  return type === "link_close" || (type === "html_inline" && content.startsWith("</a")) ? -1 : 0;
}

function playgroundLink(url: string): string {
  return `<p class="try-it"><a href="${url.replaceAll("&", "&amp;")}">Try it in the playground</a></p>\n`;
}

function wrap(url: string, inner: Token, Made: State["Token"]): Token[] {
  const open = new Made("link_open", "a", 1);
  open.attrSet("href", url);
  return [open, inner, new Made("link_close", "a", -1)];
}
