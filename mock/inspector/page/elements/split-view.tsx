import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface SplitViewProps {
  readonly list: ComponentChildren;
  /** What is open beside the list; undefined when nothing is. */
  readonly detail: ComponentChildren | undefined;
  /** What it is called. */
  readonly title: string;
  /** Differs whenever the keyboard is to go to what was opened. */
  readonly entered: number;
  readonly onClose: () => void;
}

/** A list, and beside it (in a narrow window: in its place) what was opened. Escape closes it and goes back. */
export function SplitView({ list, detail, title, entered, onClose }: SplitViewProps): VNode {
  const whole = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLElement>(null);
  // At once, not after the next paint: the next key goes to what was opened.
  useLayoutEffect(() => {
    if (entered > 0) pane.current?.focus();
  }, [entered]);
  const close = () => {
    onClose();
    whole.current?.querySelector<HTMLElement>("[role=grid]")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && detail !== undefined) close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open wherever the focus is
    <div ref={whole} class={`split ${detail === undefined ? "" : "split-open"}`} onKeyDown={onKeyDown}>
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
