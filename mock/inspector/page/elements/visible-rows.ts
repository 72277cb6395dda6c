/** A range of rows to render. */
export interface RowRange {
  /** The index of the first row. */
  readonly from: number;
  /** The index after the last row. */
  readonly to: number;
}

/** The number of rows to render above and below the visible ones. */
const OVERSCAN = 12;

/** Returns the rows to render when a list is scrolled to `top` in an element of the given height, in pixels. */
export function visibleRows(count: number, rowHeight: number, top: number, height: number): RowRange {
  const first = Math.floor(top / rowHeight) - OVERSCAN;
  const last = Math.ceil((top + height) / rowHeight) + OVERSCAN;
  const from = Math.max(0, Math.min(first, count));
  return { from, to: Math.min(count, Math.max(last, from)) };
}

/** Returns the scroll position that makes a row visible below the header row, or undefined when it is visible. */
export function scrollTopFor(row: number, rowHeight: number, top: number, height: number): number | undefined {
  const above = row * rowHeight;
  if (above < top) return above;
  const below = above + 2 * rowHeight - height;
  return below > top ? below : undefined;
}
