import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatInteger } from "./format.ts";

/** Shows preformatted text in a scrollable box. */
export function CodeBlock(props: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard
    <section class="code" tabIndex={0} aria-label={props.label}>
      <pre>{props.children}</pre>
    </section>
  );
}

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The object of the label for screen readers, such as `secret`. */
  readonly about?: string;
}

/** The time for which the label reads "Copied", in milliseconds. */
const SHOWN_FOR = 2000;

/** Copies a string to the clipboard. */
export function CopyButton({ text, label, about }: CopyButtonProps): VNode | null {
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setCopied(0), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(copied + 1);
  };
  // A page that another host serves without TLS has no clipboard.
  if (!navigator.clipboard) return null;
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{copied > 0 ? "Copied" : label}</span>
      {about && <span class="visually-hidden"> {about}</span>}
    </button>
  );
}

interface JsonViewProps {
  readonly title: string;
  /** The parsed JSON value, a string that is not JSON, or null without a body. */
  readonly value: unknown;
  /** The text to show without a value. */
  readonly empty: string;
}

/** The maximum number of characters to show. The copy button copies all of them. */
const MAX_SHOWN = 40_000;

/** Shows a JSON value with indentation, syntax colors and a copy button. */
export function JsonView({ title, value, empty }: JsonViewProps): VNode {
  const isText = typeof value === "string";
  const text = isText ? value : JSON.stringify(value ?? null, null, 2);
  const shown = text.slice(0, MAX_SHOWN);
  const isEmpty = value === null || value === undefined;
  return (
    <section class="body">
      <div class="body-bar">
        <h3>{title}</h3>
        {!isEmpty && <CopyButton text={text} label="Copy" about={title.toLowerCase()} />}
      </div>
      {isEmpty ? (
        <p class="muted">{empty}</p>
      ) : (
        <CodeBlock label={title}>{isText ? shown : highlight(shown)}</CodeBlock>
      )}
      {text.length > MAX_SHOWN && <p class="muted">The first {formatInteger(MAX_SHOWN)} characters.</p>}
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

/** Parses JSON. Returns a string that is not JSON unchanged. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
