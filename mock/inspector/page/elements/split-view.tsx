import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface SplitViewProps {
  readonly list: ComponentChildren;
  /** The details of the open row; undefined when none is open. */
  readonly detail: ComponentChildren | undefined;
  /** The heading of the details. */
  readonly title: string;
  /** Moves the focus to the details whenever this number changes, except to 0. */
  readonly focusCount: number;
  readonly onClose: () => void;
}

/** Shows a list next to the details of a row, or only the details in a narrow window. Escape closes them. */
export function SplitView({ list, detail, title, focusCount, onClose }: SplitViewProps): VNode {
  const root = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  // A layout effect, because the next key press must reach the details.
  useLayoutEffect(() => {
    if (focusCount > 0) pane.current?.focus();
  }, [focusCount]);
  const close = () => {
    onClose();
    root.current?.querySelector<HTMLElement>("[role=grid]")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && detail !== undefined) close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the details from anywhere inside
    <div ref={root} class={`split ${detail === undefined ? "" : "split-open"}`} onKeyDown={onKeyDown}>
      <div class="list">{list}</div>
      {detail !== undefined && (
        <section ref={pane} class="detail" aria-label={title} tabIndex={-1}>
          <div class="detail-bar">
            <h2>{title}</h2>
            <button type="button" class="quiet" onClick={close}>
              Close <kbd>Esc</kbd>
            </button>
          </div>
          {detail}
        </section>
      )}
    </div>
  );
}
