import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { CodeBlock } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";
import { formatInteger } from "./format.ts";

interface JsonViewProps {
  readonly title: string;
  /** A value as it was parsed; null when there was nothing, text that is no JSON as it is. */
  readonly value: unknown;
  /** What to say when there is nothing. */
  readonly empty: string;
}

/** How much of a long text is shown at first. */
const MAX_SHOWN = 40_000;

/** A body, to be read: indented, with its kinds of values told apart, and a button that copies it. */
export function JsonView({ title, value, empty }: JsonViewProps): VNode {
  const [whole, setWhole] = useState<unknown>();
  if (value === null || value === undefined) {
    return (
      <section class="body">
        <h3>{title}</h3>
        <p class="muted">{empty}</p>
      </section>
    );
  }
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const cut = text.length > MAX_SHOWN && whole !== value;
  return (
    <section class="body">
      <div class="body-bar">
        <h3>{title}</h3>
        <CopyButton text={text} label="Copy" about={title.toLowerCase()} />
      </div>
      <CodeBlock label={title}>
        {typeof value === "string"
          ? text.slice(0, cut ? MAX_SHOWN : undefined)
          : coloured(cut ? text.slice(0, MAX_SHOWN) : text)}
      </CodeBlock>
      {cut && (
        <button type="button" onClick={() => setWhole(value)}>
          Show all {formatInteger(text.length)} characters
        </button>
      )}
    </section>
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;

/** Indented JSON with its names, texts and other values told apart. */
function coloured(text: string): (string | VNode)[] {
  const parts: (string | VNode)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + token.length;
    if (colon !== undefined) parts.push(<span class="json-name">{quoted}</span>, colon);
    else parts.push(<span class={quoted === undefined ? "json-value" : "json-text"}>{token}</span>);
  }
  return [...parts, text.slice(end)];
}
