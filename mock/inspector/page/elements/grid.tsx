import type { ComponentChildren, VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { ROW_HEIGHT, scrollToRow, useScrollAnchor, useViewport } from "./grid-scrolling.ts";
import { visibleRows } from "./visible-rows.ts";

/** A column of a grid. */
export interface Column<Row> {
  readonly title: string;
  /** The suffix of the CSS class `col-<name>`, which sets the width. */
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
}

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
export function Grid<Row>(props: GridProps<Row>): VNode {
  const { label, rows, keyOf, open } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller);
  const [active, setActive] = useState(open);
  useScrollAnchor(scroller, rows, keyOf);
  const position = rows.findIndex((row) => keyOf(row) === active);
  const select = (row: Row) => {
    setActive(keyOf(row));
    props.onOpen(row, false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = targetRow(event.key, position, rows.length);
    const row = rows[next ?? position];
    if (row === undefined || (next === undefined && !OPEN_KEYS.includes(event.key))) return;
    event.preventDefault();
    setActive(keyOf(row));
    if (next !== undefined) scrollToRow(scroller.current, next);
    if (next === undefined || open !== undefined) props.onOpen(row, next === undefined);
  };
  const { from, to } = visibleRows(rows.length, ROW_HEIGHT, viewport.top, viewport.height);
  return (
    <div ref={scroller} class="scroller" onScroll={viewport.measure}>
      <div style={{ paddingTop: `${from * ROW_HEIGHT}px`, paddingBottom: `${(rows.length - to) * ROW_HEIGHT}px` }}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with selectable rows is a grid
          role="grid"
          class="grid"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-activedescendant={position >= from && position < to ? idOf(active) : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <Heading columns={props.columns} />
          <tbody>
            {rows.slice(from, to).map((row, offset) => (
              <Row {...props} key={keyOf(row)} row={row} index={from + offset} active={active} select={select} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Heading<Row>({ columns }: Pick<GridProps<Row>, "columns">): VNode {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ name, title }) => (
          <th key={name} scope="col" class={`col-${name}`}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps<Row> extends GridProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly active: string | undefined;
  readonly select: (row: Row) => void;
}

function Row<Row>({ row, index, active, select, keyOf, open, columns }: RowProps<Row>): VNode {
  const key = keyOf(row);
  return (
    <tr
      id={idOf(key)}
      aria-rowindex={index + 2}
      aria-selected={key === open}
      class={key === active ? "active" : ""}
      onClick={() => select(row)}
    >
      {columns.map(({ name, cell }) => (
        <td key={name} class={`col-${name}`}>
          {cell(row)}
        </td>
      ))}
    </tr>
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

function idOf(key: string | undefined): string {
  return `row-${key}`;
}
