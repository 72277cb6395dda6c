import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** The color of a badge. Its text must carry the same meaning. */
export type Tone = "good" | "bad" | "warn" | "plain" | "accent";

/** Shows a word or a number on a colored background. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }): VNode {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Returns the color of an HTTP status; null means that no response arrived. */
export function statusTone(status: number | null): Tone {
  if (status === null || status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "plain" : "good";
}

/** Returns the local time of day of a timestamp, with milliseconds. */
export function timeOfDay(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Formats a duration in milliseconds. */
export function formatDuration(value: number): string {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(value >= 100 ? 0 : 1)} ms`;
}

interface CopyButtonProps {
  /** What to copy. */
  readonly text: string;
  /** What the text is, such as `token`. */
  readonly about: string;
}

const SHOWN_FOR_MS = 2000;

/** Copies a string to the clipboard. */
export function CopyButton({ text, about }: CopyButtonProps): VNode | null {
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setCopied(0), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  // A page that another host serves without TLS has no clipboard.
  if (!navigator.clipboard) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(copied + 1);
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{copied > 0 ? "Copied" : `Copy ${about}`}</span>
    </button>
  );
}

interface ActionButtonProps {
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

/** Runs an action, and says next to the button why it failed. */
export function ActionButton({ label, run }: ActionButtonProps): VNode {
  const [outcome, setOutcome] = useState("");
  const act = () => {
    setOutcome("");
    return run().catch((error: unknown) => setOutcome(errorMessage(error)));
  };
  return (
    <>
      <span class="bad break" role="status">
        {outcome}
      </span>
      <button type="button" onClick={act}>
        {label}
      </button>
    </>
  );
}

/** Returns the message to show for a failed call. */
export function errorMessage(error: unknown): string {
  return error instanceof TypeError ? "Cannot reach the mock server." : String((error as Error).message);
}

/** Lists names and values. Leaves out those without a value. */
export function Properties({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }): VNode {
  const shown = Object.entries(of).filter(([, value]) => value);
  return (
    <dl class="properties">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CodeProps {
  readonly title: string;
  /** JSON, or any other text; null or empty without any. */
  readonly value: unknown;
  /** The text to show without a value. */
  readonly empty?: string | undefined;
}

/** Maximum number of characters to show. The copy button copies all of them. */
const MAX_SHOWN = 40_000;

/** Shows JSON with indentation and colors, or a text as it is, with a copy button. */
export function Code({ title, value, empty = "Empty." }: CodeProps): VNode {
  const isText = typeof value === "string";
  const text = isText ? value : JSON.stringify(value ?? "", null, 2);
  const isEmpty = value === null || value === undefined || text === "";
  return (
    <div class="code">
      <div class="bar">
        <h3>{title}</h3>
        {!isEmpty && <CopyButton text={text} about={title.toLowerCase()} />}
      </div>
      {isEmpty ? (
        <p class="muted">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard
        <section class="box" tabIndex={0} aria-label={title}>
          <pre>{isText ? text.slice(0, MAX_SHOWN) : highlight(text.slice(0, MAX_SHOWN))}</pre>
        </section>
      )}
      {text.length > MAX_SHOWN && (
        <p class="muted">
          The first {MAX_SHOWN} characters of {text.length}.
        </p>
      )}
    </div>
  );
}

const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;

/** Colors the names, strings and other values of indented JSON. */
function highlight(text: string): (string | VNode)[] {
  const parts: (string | VNode)[] = [];
  let end = 0;
  for (const match of text.matchAll(JSON_TOKEN)) {
    const [token, quoted, colon] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + token.length;
    if (colon !== undefined) parts.push(<span class="accent">{quoted}</span>, colon);
    else parts.push(<span class={quoted === undefined ? "warn" : "good"}>{token}</span>);
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
