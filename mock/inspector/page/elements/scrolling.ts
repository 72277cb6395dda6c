import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The height of a row and of the header row of a grid, in pixels. Must match `grid.css`. */
export const ROW_HEIGHT = 30;

/** The visible part of a scrollable element, in pixels. */
interface Viewport {
  readonly top: number;
  readonly height: number;
  /** Measures again. Call it when the element is scrolled. */
  readonly measure: () => void;
}

/** Tracks the size and scroll position of an element. */
export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState({ top: 0, height: 800 });
  const measure = () => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = element.current ?? {};
    setViewport((before) => (before.top === top && before.height === height ? before : { top, height }));
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    if (element.current) observer.observe(element.current);
    measure();
    return () => observer.disconnect();
  }, []);
  return { ...viewport, measure };
}

/** Keeps the visible rows in place when rows are added above. At the very top, the list shows the new rows instead. */
export function useScrollAnchor(element: RefObject<HTMLElement | null>, keys: readonly string[]): void {
  const first = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = element;
    const added = first.current === undefined ? 0 : keys.indexOf(first.current);
    first.current = keys[0];
    if (current && current.scrollTop > 0 && added > 0) current.scrollTop += added * ROW_HEIGHT;
  }, [keys]);
}

/** Scrolls an element until a row is visible below the header row. */
export function scrollToRow(element: HTMLElement | null, row: number): void {
  if (!element) return;
  const above = row * ROW_HEIGHT;
  const below = above + 2 * ROW_HEIGHT - element.clientHeight;
  if (above < element.scrollTop) element.scrollTop = above;
  else if (below > element.scrollTop) element.scrollTop = below;
}

/** The number of rows to render above and below the visible ones. */
const OVERSCAN = 12;

/** Returns the index of the first row to render, and the index after the last one. */
export function visibleRows(count: number, { top, height }: Pick<Viewport, "top" | "height">): [number, number] {
  const first = Math.floor(top / ROW_HEIGHT) - OVERSCAN;
  const last = Math.ceil((top + height) / ROW_HEIGHT) + OVERSCAN;
  const from = Math.max(0, Math.min(first, count));
  return [from, Math.min(count, Math.max(last, from))];
}
