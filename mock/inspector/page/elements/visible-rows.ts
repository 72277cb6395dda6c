/** The rows of a long list that are drawn. */
export interface Window {
  /** The first row to draw. */
  readonly from: number;
  /** The row after the last one to draw. */
  readonly to: number;
}

/** How many rows are drawn on either side of those that can be seen. */
const AROUND = 12;

/** Which of so many rows of one height to draw, where the list is scrolled to `top` in a box of some height. */
export function visibleRows(count: number, rowHeight: number, top: number, height: number): Window {
  const first = Math.floor(top / rowHeight) - AROUND;
  const last = Math.ceil((top + height) / rowHeight) + AROUND;
  const from = Math.max(0, Math.min(first, count));
  return { from, to: Math.min(count, Math.max(last, from)) };
}

/** Where to scroll so that a row can be seen below the heading; undefined where it can be already. */
export function scrollTopFor(row: number, rowHeight: number, top: number, height: number): number | undefined {
  const above = row * rowHeight;
  if (above < top) return above;
  const below = above + 2 * rowHeight - height;
  return below > top ? below : undefined;
}
