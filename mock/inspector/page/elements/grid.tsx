import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { ROW_HEIGHT, scrollToRow, useScrollAnchor, useViewport, visibleRows } from "./scrolling.ts";
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

/**
 * Shows a long list in columns. The grid is one tab stop; arrow keys move between rows and Enter opens one. Only visible
 * rows are rendered, and they keep their position when rows are added above.
 */
export function Grid<Row>({ label, columns, rows, keyOf, open, onOpen }: GridProps<Row>): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller);
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
    scrollToRow(scroller.current, next);
    select(next, false, open !== undefined);
  };
  const [from, to] = visibleRows(rows.length, viewport);
  return (
    <div ref={scroller} class="scroller" onScroll={viewport.measure}>
      <div style={{ paddingTop: `${from * ROW_HEIGHT}px`, paddingBottom: `${(rows.length - to) * ROW_HEIGHT}px` }}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with selectable rows is a grid
          role="grid"
          class="grid"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-activedescendant={position >= from && position < to ? `row-${active}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <Heading columns={columns} aria-rowindex={1} />
          <tbody>
            {rows.slice(from, to).map((row, offset) => (
              <tr
                key={keyOf(row)}
                id={`row-${keyOf(row)}`}
                aria-rowindex={from + offset + 2}
                aria-selected={keyOf(row) === open}
                class={keyOf(row) === active ? "active" : ""}
                onClick={() => select(from + offset, false)}
              >
                <Cells columns={columns} row={row} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
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
