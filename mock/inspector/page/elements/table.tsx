import type { ComponentChildren, VNode } from "preact";

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
  readonly keyOf: (row: Row) => string;
}

/** Shows rows in columns, in a box that scrolls. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard
    <section class="overflow" tabIndex={0} aria-label={label}>
      <table class="table">
        <Heading columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The titles of the columns. */
export function Heading<Row>({ columns, ...rest }: { readonly columns: readonly Column<Row>[] }): VNode {
  return (
    <thead>
      <tr {...rest}>
        {columns.map((column, index) => (
          <th key={index} scope="col" class={column.class}>
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The cells of a row. */
export function Cells<Row>({ columns, row }: { readonly columns: readonly Column<Row>[]; readonly row: Row }): VNode {
  return (
    <>
      {columns.map((column, index) => (
        <td key={index} class={column.class}>
          {column.cell(row)}
        </td>
      ))}
    </>
  );
}
