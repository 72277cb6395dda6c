import type { ComponentChildren, HTMLAttributes, VNode } from "preact";
import { formatInteger } from "./format.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly title: ComponentChildren;
  /** The CSS classes of its cells. */
  readonly class?: string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The text to show without rows. */
  readonly empty?: string;
  /** The maximum number of rows to show. */
  readonly limit?: number;
}

/** Shows rows in columns, in a box that scrolls. */
export function Table<Row>({ label, rows, empty, limit = rows.length, ...rest }: TableProps<Row>): VNode {
  if (empty !== undefined && rows.length === 0) return <p class="muted">{empty}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard */}
      <section class="overflow" tabIndex={0} aria-label={label}>
        <table class="table">
          <Rows rows={rows.slice(0, limit)} {...rest} />
        </table>
      </section>
      {rows.length > limit && <p class="muted">and {formatInteger(rows.length - limit)} more</p>}
    </>
  );
}

interface RowsProps<Row> extends Pick<TableProps<Row>, "columns" | "rows"> {
  /** Returns the attributes of a row, of which `id` identifies it. */
  readonly attributesOf?: (row: Row) => HTMLAttributes<HTMLTableRowElement> & { readonly id: string };
}

/** The titles of the columns and the cells of the rows. */
export function Rows<Row>({ columns, rows, attributesOf }: RowsProps<Row>): VNode {
  return (
    <>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={index} scope="col" class={column.class}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const attributes = attributesOf?.(row);
          return (
            <tr key={attributes?.id ?? index} {...attributes}>
              {columns.map((column, index) => (
                <td
                  key={index}
                  class={column.class}
                  data-label={typeof column.title === "string" ? column.title : undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </>
  );
}
