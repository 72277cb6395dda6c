import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import { PANELS, type Panel } from "../../link/content.ts";

const TITLES: Readonly<Record<Panel, string>> = { request: "Request", code: "Client code", webhook: "Webhook" };
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

interface TabsProps {
  readonly selected: Panel;
  readonly select: (panel: Panel) => void;
  readonly children: ComponentChildren;
}

/** Shows the tabs and the selected panel. The arrow keys select a tab (WAI-ARIA tabs pattern). */
export function Tabs({ selected, select, children }: TabsProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const panel = PANELS.at((PANELS.indexOf(selected) + step) % PANELS.length) as Panel;
    select(panel);
    list.current?.querySelector<HTMLElement>(`#tab-${panel}`)?.focus();
  };
  return (
    <>
      <div class="example-tabs" role="tablist" aria-label="Playground" ref={list} onKeyDown={onKeyDown}>
        {PANELS.map((panel) => (
          <button
            key={panel}
            type="button"
            role="tab"
            id={`tab-${panel}`}
            aria-selected={panel === selected}
            aria-controls="playground-panel"
            tabIndex={panel === selected ? 0 : -1}
            onClick={() => select(panel)}
          >
            {TITLES[panel]}
          </button>
        ))}
      </div>
      <div id="playground-panel" class="playground-panel" role="tabpanel" aria-labelledby={`tab-${selected}`}>
        {children}
      </div>
    </>
  );
}
