import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Badge, type Tone } from "./elements.tsx";
import { hashOf, type Place, replacePlace } from "./place.ts";

/** One row of a list. */
export interface Item {
  readonly id: string;
  readonly badge: readonly [tone: Tone, text: ComponentChildren];
  readonly title: string;
  /** What matters most about it, in a line. */
  readonly note: ComponentChildren;
  readonly time?: string;
  /** The words that the filter finds, in addition to the title. */
  readonly words: string;
}

interface ListViewProps {
  readonly place: Place;
  /** The accessible name of the list. */
  readonly label: string;
  /** All rows, in order. */
  readonly items: readonly Item[];
  /** An example of a filter. */
  readonly example: string;
  /** Shown at the end of the line above the list. */
  readonly action?: ComponentChildren;
  /** Shown instead of an empty list. */
  readonly empty?: ComponentChildren;
  /** The details of the open row; undefined if it does not exist. */
  readonly detail: ComponentChildren;
}

/** Maximum number of rows in a list. */
const MAX_ROWS = 250;

/**
 * Shows the rows that match a filter next to the details of one of them, or only the details in a narrow window. Each row is a
 * link to its details. The list has one tab stop, in which the arrow keys move.
 */
export function ListView({ place, label, items, example, action, empty, detail }: ListViewProps): VNode {
  const found = filterByWords(items, place.filter);
  const shown = found.slice(0, MAX_ROWS);
  const openId = place.id;
  const tabStop = shown.find(({ id }) => id === openId)?.id ?? shown[0]?.id;
  const { list, details } = useFocus(openId);
  useShortcut("Escape", () => replacePlace({ ...place, id: undefined }));
  return (
    <div class={`split ${openId === undefined ? "" : "split-open"}`}>
      <div class="list" ref={list}>
        <div class="bar toolbar">
          <Filter place={place} example={example} />
          <span class="muted" role="status">
            {place.filter !== "" && `${found.length} of ${items.length}`}
          </span>
          <span class="spacer" />
          {action}
        </div>
        {items.length === 0 ? empty : found.length === 0 && <p class="empty muted">No row has all of these words.</p>}
        <ul class="rows" aria-label={label} onKeyDown={moveWithArrows}>
          {shown.map((item) => (
            <Row
              key={item.id}
              item={item}
              href={hashOf({ ...place, id: item.id })}
              isOpen={item.id === openId}
              isTabStop={item.id === tabStop}
            />
          ))}
        </ul>
        {found.length > MAX_ROWS && (
          <p class="empty muted">Only the first {MAX_ROWS} rows are shown. Use the filter.</p>
        )}
      </div>
      {openId !== undefined && (
        <section class="detail" ref={details} tabIndex={-1} aria-label="Details">
          <a class="close" href={hashOf({ ...place, id: undefined })}>
            Close <kbd>Esc</kbd>
          </a>
          {detail ?? <p class="muted">It no longer exists: the mock was reset, or dropped it to save memory.</p>}
        </section>
      )}
    </div>
  );
}

interface RowProps {
  readonly item: Item;
  readonly href: string;
  readonly isOpen: boolean;
  readonly isTabStop: boolean;
}

function Row({ item: { id, badge, title, note, time }, href, isOpen, isTabStop }: RowProps): VNode {
  return (
    <li>
      <a id={`row-${id}`} href={href} aria-current={isOpen || undefined} tabIndex={isTabStop ? 0 : -1}>
        <Badge tone={badge[0]}>{badge[1]}</Badge>
        <span class="title">{title}</span>
        <span class="note">{note}</span>
        {time && <time>{time}</time>}
      </a>
    </li>
  );
}

/** The field for words that rows must have. The key `/` focuses it. */
function Filter({ place, example }: { readonly place: Place; readonly example: string }): VNode {
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", () => field.current?.focus());
  return (
    <input
      ref={field}
      type="search"
      aria-label="Filter"
      aria-keyshortcuts="/"
      placeholder={`Filter, e.g. ${example}`}
      spellcheck={false}
      value={place.filter}
      onInput={({ currentTarget }) => replacePlace({ ...place, filter: currentTarget.value })}
    />
  );
}

/** Calls a function when a key is pressed, except in a field or while a popover is open. */
function useShortcut(key: string, act: () => void): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isBusy = (event.target as Element).matches("input, textarea") || document.querySelector(":popover-open");
      if (event.key !== key || isBusy || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}

/** Opens the row above or below the focused one. */
function moveWithArrows(event: KeyboardEvent): void {
  const row = (event.target as Element).closest("li");
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key];
  const link = next?.querySelector("a");
  if (!link) return;
  event.preventDefault();
  link.focus();
  location.replace(link.href);
}

/** Moves the focus into the details where they hide the list, and back to the row when they are closed. */
function useFocus(openId: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLElement>(null);
  const last = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (openId !== undefined && !list.current?.checkVisibility()) details.current?.focus();
    if (openId === undefined && document.activeElement === document.body) {
      document.getElementById(`row-${last.current}`)?.focus();
    }
    last.current = openId;
  }, [openId]);
  return { list, details };
}

/** Returns the rows that contain every word of a filter. */
function filterByWords(items: readonly Item[], filter: string): readonly Item[] {
  const words = filter.toLowerCase().split(/\s+/);
  return items.filter(({ title, words: more }) => {
    const text = `${title}\n${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
