import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useTabState } from "../session/tab-state.ts";
import { EmptyState } from "./card.tsx";
import { FilterField, filterByWords } from "./filter-field.tsx";
import { formatInteger } from "./format.ts";
import { Grid } from "./grid.tsx";
import type { Column } from "./table.tsx";

interface ListViewProps<Row> {
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
  readonly keyOf: (row: Row) => string;
  /** Shown at the end of the line above the list. */
  readonly action?: ComponentChildren;
  /** Returns the newest state of the open row; undefined if it no longer exists. */
  readonly current: (row: Row) => Row | undefined;
  /** The heading of the details. */
  readonly titleOf: (row: Row) => string;
  readonly detailOf: (row: Row) => VNode;
}

/** Shows the rows that match a filter, newest first, next to the details of a row, or only the details in a narrow window. Escape closes them. */
export function ListView<Row>(props: ListViewProps<Row>): VNode {
  const { label, noun, columns, keyOf, titleOf } = props;
  const [filter, setFilter] = useTabState(`${label}: filter`, "");
  const rows = filterByWords(props.rows, filter, props.textOf).toReversed();
  const [opened, setOpened] = useTabState<Row | undefined>(`${label}: row`, undefined);
  const [focusCount, setFocusCount] = useTabState(`${label}: focus`, 0);
  const root = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  const open = opened && props.current(opened);
  // A layout effect, because the next key press must reach the details.
  useLayoutEffect(() => {
    if (focusCount > 0) pane.current?.focus();
  }, [focusCount]);
  const show = (row: Row, byKeyboard: boolean) => {
    setOpened(row);
    setFocusCount(byKeyboard ? focusCount + 1 : 0);
  };
  const close = () => {
    setOpened(undefined);
    root.current?.querySelector<HTMLElement>("[role=grid]")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the details from anywhere inside
    <div ref={root} class={`split ${open ? "split-open" : ""}`} onKeyDown={onKeyDown}>
      <div class="list">
        <div class="toolbar">
          <FilterField noun={noun} example={props.example} value={filter} onChange={setFilter} />
          <span class="muted tabular nowrap">
            {filter.trim() === ""
              ? props.count
              : `${formatInteger(rows.length)} of ${formatInteger(props.rows.length)}`}
          </span>
          <span class="spacer" />
          {props.action}
        </div>
        {rows.length === 0 ? (
          <EmptyState title="No matches">No row contains all of these words. Remove or shorten a word.</EmptyState>
        ) : (
          <Grid label={label} columns={columns} rows={rows} keyOf={keyOf} open={open && keyOf(open)} onOpen={show} />
        )}
      </div>
      {open && (
        <section ref={pane} class="detail" aria-label={titleOf(open)} tabIndex={-1}>
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
