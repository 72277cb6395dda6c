import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { scrollTopFor } from "./visible-rows.ts";

/** The height of a row and of the heading of a grid, in pixels; the style sheet says the same. */
export const ROW_HEIGHT = 30;

/** How far a box is scrolled, and how high it is. */
export interface Box {
  readonly top: number;
  readonly height: number;
  /** Looks again; to be called when the box is scrolled. */
  readonly measure: () => void;
}

/** Follows the size of a box. */
export function useViewport(element: RefObject<HTMLElement | null>): Box {
  const [box, setBox] = useState({ top: 0, height: 800 });
  const measure = () => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = element.current ?? {};
    setBox((before) => (before.top === top && before.height === height ? before : { top, height }));
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    if (element.current) observer.observe(element.current);
    measure();
    return () => observer.disconnect();
  }, []);
  return { ...box, measure };
}

/** Keeps what is looked at in its place when rows come in above it; at the very top, the newest row is shown. */
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

/** Scrolls a box so that a row can be seen. */
export function scrollToRow(element: HTMLElement | null, row: number): void {
  if (!element) return;
  const top = scrollTopFor(row, ROW_HEIGHT, element.scrollTop, element.clientHeight);
  if (top !== undefined) element.scrollTop = top;
}
