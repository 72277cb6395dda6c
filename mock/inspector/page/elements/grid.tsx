import type { RefObject, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatInteger } from "./format.ts";
import { Cells, type Column, Heading } from "./table.tsx";

interface GridProps<Row> {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The key of the open row. */
  readonly open: string | undefined;
  /** Called when the user opens a row; `byKeyboard` when the focus must move to its details. */
  readonly onOpen: (row: Row, byKeyboard: boolean) => void;
}

/** The maximum number of rows in a grid. */
const MAX_ROWS = 250;

/**
 * Shows the first rows of a list in columns. The grid is one tab stop; arrow keys move between rows and Enter opens one.
 * Visible rows keep their position when rows are added above.
 */
export function Grid<Row>({ label, columns, rows: all, keyOf, open, onOpen }: GridProps<Row>): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = all.slice(0, MAX_ROWS);
  const [active, setActive] = useState(open);
  const keys = rows.map(keyOf);
  useScrollAnchor(scroller, keys);
  const position = active === undefined ? -1 : keys.indexOf(active);
  const select = (index: number, byKeyboard: boolean, isOpening = true) => {
    const row = rows[index];
    if (row === undefined) return;
    setActive(keys[index]);
    if (isOpening) onOpen(row, byKeyboard);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = targetRow(event.key, position, rows.length);
    if (rows.length === 0 || (next === undefined && !OPEN_KEYS.includes(event.key))) return;
    event.preventDefault();
    if (next === undefined) return select(position, true);
    scroller.current?.querySelectorAll("tbody tr")[next]?.scrollIntoView({ block: "nearest" });
    select(next, false, open !== undefined);
  };
  return (
    <div ref={scroller} class="scroller">
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with selectable rows is a grid
        role="grid"
        class="grid"
        aria-label={label}
        aria-activedescendant={position < 0 ? undefined : `row-${active}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <Heading columns={columns} />
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keys[index]}
              id={`row-${keys[index]}`}
              aria-selected={keys[index] === open}
              class={keys[index] === active ? "active" : ""}
              onClick={() => select(index, false)}
            >
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > MAX_ROWS && (
        <p class="hint">
          {formatInteger(all.length - MAX_ROWS)} older rows are not shown. Use the filter to find them.
        </p>
      )}
    </div>
  );
}

/** The height of a row, in pixels. Must match `grid.css`. */
const ROW_HEIGHT = 30;

/** Keeps the visible rows in place when rows are added above. At the very top, the list shows the new rows instead. */
function useScrollAnchor(element: RefObject<HTMLElement | null>, keys: readonly string[]): void {
  const first = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = element;
    const added = first.current === undefined ? 0 : keys.indexOf(first.current);
    first.current = keys[0];
    if (current && current.scrollTop > 0 && added > 0) current.scrollTop += added * ROW_HEIGHT;
  }, [keys]);
}

const OPEN_KEYS = ["Enter", " "];
const PAGE_ROWS = 10;

/** Returns the index of the row that a key moves to, or undefined for any other key. */
function targetRow(key: string, position: number, length: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: position + 1,
    ArrowUp: position - 1,
    PageDown: position + PAGE_ROWS,
    PageUp: position - PAGE_ROWS,
    Home: 0,
    End: length - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(length - 1, target));
}
