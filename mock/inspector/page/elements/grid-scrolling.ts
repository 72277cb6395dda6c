import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { scrollTopFor } from "./visible-rows.ts";

/** The height of a row and of the header row of a grid, in pixels. Must match `grid.css`. */
export const ROW_HEIGHT = 30;

/** The visible part of a scrollable element, in pixels. */
export interface Viewport {
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
export function useScrollAnchor<Row>(
  element: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): void {
  const first = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = element;
    const added = first.current === undefined ? 0 : rows.findIndex((row) => keyOf(row) === first.current);
    first.current = rows[0] && keyOf(rows[0]);
    if (current && current.scrollTop > 0 && added > 0) current.scrollTop += added * ROW_HEIGHT;
  }, [rows]);
}

/** Scrolls an element until a row is visible. */
export function scrollToRow(element: HTMLElement | null, row: number): void {
  if (!element) return;
  const top = scrollTopFor(row, ROW_HEIGHT, element.scrollTop, element.clientHeight);
  if (top !== undefined) element.scrollTop = top;
}
