import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useTabState } from "../session/hooks.ts";
import { EmptyState } from "./card.tsx";
import { formatInteger } from "./format.ts";
import { type Column, Rows } from "./table.tsx";

interface ListViewProps<Row extends { readonly id: string | number }> {
  /** The accessible name of the list. */
  readonly label: string;
  /** The plural noun for the rows. */
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  /** All rows, oldest first. */
  readonly rows: readonly Row[];
  /** Returns the text that the filter searches. */
  readonly textOf: (row: Row) => string;
  /** An example of a filter. */
  readonly example: string;
  /** The number of rows, as text. */
  readonly count: string;
  /** Shown at the end of the line above the list. */
  readonly action?: ComponentChildren;
  /** Returns the newest state of the open row; undefined if it no longer exists. */
  readonly current: (row: Row) => Row | undefined;
  /** The heading of the details. */
  readonly titleOf: (row: Row) => string;
  readonly detailOf: (row: Row) => VNode;
}

/** The maximum number of rows in a list. */
const MAX_ROWS = 250;

/**
 * Shows the rows that match a filter, newest first, next to the details of a row, or only the details in a narrow window. The
 * rows are a group of radio buttons, between which the arrow keys move. Escape closes the details.
 */
export function ListView<Row extends { readonly id: string | number }>(props: ListViewProps<Row>): VNode {
  const { label, titleOf } = props;
  const [filter, setFilter] = useTabState(`${label}: filter`, "");
  const found = filterByWords(props.rows, filter, props.textOf).toReversed();
  const [opened, setOpened] = useTabState<Row | undefined>(`${label}: row`, undefined);
  const open = opened && props.current(opened);
  const { table, detail, restoreFocus } = useFocus(open?.id);
  const close = () => {
    restoreFocus();
    setOpened(undefined);
  };
  const radio = (row: Row) => (
    <input
      type="radio"
      name={label}
      aria-label={titleOf(row)}
      checked={open?.id === row.id}
      onChange={() => setOpened(row)}
    />
  );
  const columns = [
    { class: "col-open", title: <span class="visually-hidden">Open</span>, cell: radio },
    ...props.columns,
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the details from anywhere inside
    <div class={`split ${open ? "split-open" : ""}`} onKeyDown={onKeyDown}>
      <div class="list">
        <div class="toolbar">
          <label class="filter">
            <span class="visually-hidden">Filter {props.noun}</span>
            <input
              ref={useShortcut()}
              type="search"
              value={filter}
              placeholder={`Filter, e.g. ${props.example}`}
              spellcheck={false}
              onInput={({ currentTarget }) => setFilter(currentTarget.value)}
            />
            <kbd>/</kbd>
          </label>
          <span class="muted tabular nowrap">
            {filter.trim() === ""
              ? props.count
              : `${formatInteger(found.length)} of ${formatInteger(props.rows.length)}`}
          </span>
          <span class="spacer" />
          {props.action}
        </div>
        {found.length === 0 ? (
          <EmptyState title="No matches">No row contains all of these words. Remove or shorten a word.</EmptyState>
        ) : (
          <div class="scroller">
            <table ref={table} class="grid" aria-label={label}>
              <Rows
                columns={columns}
                rows={found.slice(0, MAX_ROWS)}
                attributesOf={({ id }) => ({
                  id: `row-${id}`,
                  onClick: ({ currentTarget }) => openWith(currentTarget.querySelector("input")),
                })}
              />
            </table>
            {found.length > MAX_ROWS && (
              <p class="hint">
                {formatInteger(found.length - MAX_ROWS)} older rows are not shown. Use the filter to find them.
              </p>
            )}
          </div>
        )}
      </div>
      {open && (
        <section ref={detail} class="detail" tabIndex={-1} aria-label={titleOf(open)}>
          <div class="detail-bar">
            <h2>{titleOf(open)}</h2>
            <button type="button" class="quiet" onClick={close}>
              Close <kbd>Esc</kbd>
            </button>
          </div>
          {props.detailOf(open)}
        </section>
      )}
    </div>
  );
}

/**
 * Moves the focus into the details when they hide the list, which they do in a narrow window. `restoreFocus` moves it back to
 * the row as soon as the list is visible.
 */
function useFocus(openId: string | number | undefined) {
  const table = useRef<HTMLTableElement>(null);
  const detail = useRef<HTMLElement>(null);
  const closed = useRef<string | number | undefined>(undefined);
  useLayoutEffect(() => {
    const list = table.current;
    if (openId === undefined) document.getElementById(`row-${closed.current}`)?.querySelector("input")?.focus();
    else if (list?.contains(document.activeElement) && !list.checkVisibility()) detail.current?.focus();
    closed.current = undefined;
  }, [openId]);
  const restoreFocus = () => {
    closed.current = openId;
  };
  return { table, detail, restoreFocus };
}

/** Returns a field that the key `/` focuses. */
function useShortcut() {
  const field = useRef<HTMLInputElement>(null);
  // A layout effect, because the shortcut must work as soon as the field is visible.
  useLayoutEffect(() => {
    const focusField = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", focusField);
    return () => removeEventListener("keydown", focusField);
  }, []);
  return field;
}

/** Returns the rows whose text contains every word of a filter. */
function filterByWords<Row>(rows: readonly Row[], filter: string, textOf: (row: Row) => string): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/);
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Opens the row of a radio button, and focuses it for the arrow keys. */
function openWith(radio: HTMLInputElement | null): void {
  radio?.focus();
  radio?.click();
}
