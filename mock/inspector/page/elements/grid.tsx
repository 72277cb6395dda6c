import type { ComponentChildren, VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { ROW_HEIGHT, scrollToRow, useScrollAnchor, useViewport } from "./grid-scrolling.ts";
import { visibleRows } from "./visible-rows.ts";

/** A column of a grid. */
export interface Column<Row> {
  readonly title: string;
  /** Names its width and look in the style sheet. */
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
}

/** What a grid is given. */
export interface GridProps<Row> {
  /** What its rows are, for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The key of the row that is open. */
  readonly open: string | undefined;
  /** Opens a row; `enter` where the user wants to go there with the keyboard. */
  readonly onOpen: (row: Row, enter: boolean) => void;
}

/**
 * A long list in columns: one stop for the Tab key, arrow keys from row to row, Enter to open one. Only the rows that can
 * be seen are drawn, and what is looked at stays in its place when rows are added above it.
 */
export function Grid<Row>(props: GridProps<Row>): VNode {
  const { label, rows, keyOf, open } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const box = useViewport(scroller);
  const [active, setActive] = useState(open);
  useScrollAnchor(scroller, rows, keyOf);
  const position = rows.findIndex((row) => keyOf(row) === active);
  const pick = (row: Row) => {
    setActive(keyOf(row));
    props.onOpen(row, false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, position, rows.length);
    const row = rows[next ?? position];
    if (row === undefined || (next === undefined && !OPENING.includes(event.key))) return;
    event.preventDefault();
    setActive(keyOf(row));
    if (next !== undefined) scrollToRow(scroller.current, next);
    if (next === undefined || open !== undefined) props.onOpen(row, next === undefined);
  };
  const { from, to } = visibleRows(rows.length, ROW_HEIGHT, box.top, box.height);
  return (
    <div ref={scroller} class="scroller" onScroll={box.measure}>
      <div style={{ paddingTop: `${from * ROW_HEIGHT}px`, paddingBottom: `${(rows.length - to) * ROW_HEIGHT}px` }}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: with rows to choose from it is a grid
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
              <Row {...props} key={keyOf(row)} row={row} index={from + offset} active={active} pick={pick} />
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
  readonly pick: (row: Row) => void;
}

function Row<Row>({ row, index, active, pick, keyOf, open, columns }: RowProps<Row>): VNode {
  const key = keyOf(row);
  return (
    <tr
      id={idOf(key)}
      aria-rowindex={index + 2}
      aria-selected={key === open}
      class={key === active ? "active" : ""}
      onClick={() => pick(row)}
    >
      {columns.map(({ name, cell }) => (
        <td key={name} class={`col-${name}`}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

const OPENING = ["Enter", " "];
const PAGE = 10;

/** The row that a key goes to; undefined for a key that goes nowhere. */
function moved(key: string, position: number, length: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: position + 1,
    ArrowUp: position - 1,
    PageDown: position + PAGE,
    PageUp: position - PAGE,
    Home: 0,
    End: length - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(length - 1, target));
}

function idOf(key: string | undefined): string {
  return `row-${key}`;
}
