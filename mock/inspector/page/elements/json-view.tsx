import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { CodeBlock } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";
import { formatInteger } from "./format.ts";

interface JsonViewProps {
  readonly title: string;
  /** The parsed JSON value, a string that is not JSON, or null without a body. */
  readonly value: unknown;
  /** The text to show without a value. */
  readonly empty: string;
}

/** The number of characters of a long text to show at first. */
const MAX_SHOWN = 40_000;

/** Shows a JSON value with indentation, syntax colors and a copy button. */
export function JsonView({ title, value, empty }: JsonViewProps): VNode {
  const [expanded, setExpanded] = useState<unknown>();
  if (value === null || value === undefined) {
    return (
      <section class="body">
        <h3>{title}</h3>
        <p class="muted">{empty}</p>
      </section>
    );
  }
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const truncated = text.length > MAX_SHOWN && expanded !== value;
  return (
    <section class="body">
      <div class="body-bar">
        <h3>{title}</h3>
        <CopyButton text={text} label="Copy" about={title.toLowerCase()} />
      </div>
      <CodeBlock label={title}>
        {typeof value === "string"
          ? text.slice(0, truncated ? MAX_SHOWN : undefined)
          : highlight(truncated ? text.slice(0, MAX_SHOWN) : text)}
      </CodeBlock>
      {truncated && (
        <button type="button" onClick={() => setExpanded(value)}>
          Show all {formatInteger(text.length)} characters
        </button>
      )}
    </section>
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;

/** Colors the names, strings and other values of indented JSON. */
function highlight(text: string): (string | VNode)[] {
  const parts: (string | VNode)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + token.length;
    if (colon !== undefined) parts.push(<span class="json-name">{quoted}</span>, colon);
    else parts.push(<span class={quoted === undefined ? "json-value" : "json-string"}>{token}</span>);
  }
  return [...parts, text.slice(end)];
}
