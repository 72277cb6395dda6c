import type { ComponentChildren, VNode } from "preact";
import { formatDateTime, formatTime, pluralize } from "./format.ts";

/** The color of a badge. Its text must carry the same meaning. */
export type Tone = "good" | "bad" | "warn" | "plain" | "accent";

/** Shows a word or a number on a colored background. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }): VNode {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

/** Returns the color of an HTTP status; null means that no response arrived. */
export function statusTone(status: number | null): Tone {
  if (status === null || status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "plain" : "good";
}

/** Shows a date and a time. */
export function DateTime({ at }: { readonly at: string }): VNode {
  return (
    <time class="tabular" dateTime={at} title={at}>
      {formatDateTime(at)}
    </time>
  );
}

/** Shows a time of day, without milliseconds in a narrow column. */
export function TimeOfDay({ at }: { readonly at: string }): VNode {
  const time = formatTime(at);
  return (
    <time class="tabular" dateTime={at} title={at}>
      {time.slice(0, 8)}
      <span class="fraction">{time.slice(8)}</span>
    </time>
  );
}

/** A name with its value. */
export type Property = readonly [name: string, value: ComponentChildren];

/** Lists names and values. Leaves out properties without a value. */
export function PropertyList({ properties }: { readonly properties: readonly Property[] }): VNode {
  const shown = properties.filter(([, value]) => value);
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

interface CollapsedListProps {
  /** What one item is called. */
  readonly noun: string;
  readonly items: readonly { readonly id: string; readonly note?: string; readonly title?: string }[];
}

/** Shows the number of items, and the items on request. */
export function CollapsedList({ noun, items }: CollapsedListProps): VNode {
  return (
    <details class="types">
      <summary>{pluralize(items.length, noun)}</summary>
      <ul>
        {items.map(({ id, note, title }) => (
          <li key={id} title={title}>
            <code>{id}</code>
            {note && <span class="muted break">{note}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
