import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Badge, type Tone } from "./elements.tsx";
import { MAX_ROWS, type MockData } from "./mock-data.ts";

/** What the page shows. All of it is in the hash of the URL, so that it survives a reload and can be sent to somebody. */
export interface Place {
  /** The id of a tab. */
  readonly tab: string;
  /** The id of the open row. */
  readonly id?: string | undefined;
}

/** Props of every panel. */
export interface PanelProps {
  readonly place: Place;
  readonly data: MockData;
}

/** Returns the hash of a place: `#requests/12`. */
export function hashOf({ tab, id }: Place): string {
  return id === undefined ? `#${tab}` : `#${tab}/${encodeURIComponent(id)}`;
}

function placeOf(hash: string): Place {
  const [tab = "", id] = hash.slice(1).split("/");
  try {
    return { tab, id: id && decodeURIComponent(id) };
  } catch {
    return { tab };
  }
}

/** Returns the place in the URL, and follows it. */
export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return placeOf(hash);
}

/** One row of a list. */
export interface Item {
  readonly id: string;
  readonly badge: readonly [tone: Tone, text: ComponentChildren];
  readonly title: string;
  /** What matters most about it, in a line. */
  readonly note: ComponentChildren;
  readonly time?: string;
}

interface ListViewProps {
  readonly place: Place;
  /** The accessible name of the list. */
  readonly label: string;
  /** All rows, in order. */
  readonly items: readonly Item[];
  /** Shown above the list. */
  readonly action?: ComponentChildren;
  /** Shown instead of an empty list. */
  readonly empty?: ComponentChildren;
  /** The details of the open row; undefined if it does not exist. */
  readonly detail: ComponentChildren;
}

/** Shows rows, each a link to its details, next to the details of one of them, or only the details in a narrow window. */
export function ListView({ place: { tab, id: openId }, label, items, action, empty, detail }: ListViewProps): VNode {
  const details = useRef<HTMLElement>(null);
  // Otherwise, the keyboard would stay in a list that a narrow window hides.
  useLayoutEffect(() => details.current?.focus(), [openId]);
  return (
    <div class={`split ${openId === undefined ? "" : "split-open"}`}>
      <div class="list">
        {action && <div class="bar toolbar">{action}</div>}
        {items.length === 0 && empty}
        <ul class="rows" aria-label={label}>
          {items.slice(0, MAX_ROWS).map(({ id, badge, title, note, time }) => (
            <li key={id}>
              <a href={hashOf({ tab, id })} aria-current={id === openId || undefined}>
                <Badge tone={badge[0]}>{badge[1]}</Badge>
                <span class="title">{title}</span>
                <span class="note">{note}</span>
                {time && <time>{time}</time>}
              </a>
            </li>
          ))}
        </ul>
        {items.length >= MAX_ROWS && <p class="empty muted">Only {MAX_ROWS} rows are shown.</p>}
      </div>
      {openId !== undefined && (
        <section class="detail" ref={details} tabIndex={-1} aria-label="Details">
          <a class="close" href={hashOf({ tab })}>
            Close
          </a>
          {detail ?? <p class="muted">It no longer exists: the mock was reset, or newer rows have replaced it.</p>}
        </section>
      )}
    </div>
  );
}
