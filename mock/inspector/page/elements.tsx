import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { errorMessage } from "./mock-data.ts";

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

/** Returns the local time of day of a timestamp. */
export function timeOfDay(timestamp: string): string {
  return new Date(timestamp).toTimeString().slice(0, 8);
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
  const [isCopied, setCopied] = useState(false);
  // A page that another host serves without TLS has no clipboard.
  if (!navigator.clipboard) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_FOR_MS);
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{isCopied ? "Copied" : `Copy ${about}`}</span>
    </button>
  );
}

interface ActionButtonProps {
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

/** Runs an action, and says next to the button why it failed. */
export function ActionButton({ label, run }: ActionButtonProps): VNode {
  const [problem, setProblem] = useState("");
  const act = () => {
    setProblem("");
    return run().catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <>
      <span class="bad break" role="status">
        {problem}
      </span>
      <button type="button" onClick={act}>
        {label}
      </button>
    </>
  );
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
}

/** Shows indented JSON or plain text, with a copy button. */
export function Code({ title, value }: CodeProps): VNode {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "", null, 2);
  const isEmpty = value === null || value === undefined || text === "";
  return (
    <div class="code">
      <div class="bar">
        <h3>{title}</h3>
        {!isEmpty && <CopyButton text={text} about={title.toLowerCase()} />}
      </div>
      {isEmpty ? (
        <p class="muted">Empty.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard
        <section class="box" tabIndex={0} aria-label={title}>
          <pre>{text}</pre>
        </section>
      )}
    </div>
  );
}

/** Parses JSON. Returns a string that is not JSON unchanged. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
