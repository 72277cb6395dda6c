import type { ComponentType, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatInteger } from "./elements/format.ts";
import type { MockData } from "./session/mock-data.ts";
import type { PanelProps, Session } from "./session/session.ts";

/** One tab of the page. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Returns the number to show next to the title. */
  readonly count: (data: MockData) => number;
  readonly Panel: ComponentType<PanelProps>;
}

interface TabsProps {
  readonly tabs: readonly Tab[];
  /** Undefined until it is loaded. */
  readonly data: MockData | undefined;
  readonly session: Session;
}

/** Shows the tab bar and the selected panel. The arrow keys, Home and End select a tab (WAI-ARIA tabs pattern). */
export function Tabs({ tabs, data, session }: TabsProps): VNode {
  const [selected, select] = useTab(tabs);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    document.title = `${selected.title} · Billing mock`;
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabs[targetIndex(event.key, tabs.indexOf(selected), tabs.length)];
    if (!next) return;
    event.preventDefault();
    select(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <>
      <nav class="tabs" aria-label="Inspector">
        <div ref={list} role="tablist" onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`tab-${tab.id}`}
              aria-selected={tab === selected}
              aria-controls={`panel-${tab.id}`}
              tabIndex={tab === selected ? 0 : -1}
              onClick={() => select(tab)}
            >
              {tab.title}
              {data && <span class="count">{formatInteger(tab.count(data))}</span>}
            </button>
          ))}
        </div>
      </nav>
      <main class="panels">
        {tabs.map(({ id, Panel }) => (
          <div
            key={id}
            role="tabpanel"
            id={`panel-${id}`}
            aria-labelledby={`tab-${id}`}
            class="panel"
            hidden={id !== selected.id}
          >
            {id === selected.id && (data ? <Panel data={data} session={session} /> : <p class="hint">Loading…</p>)}
          </div>
        ))}
      </main>
    </>
  );
}

/** Returns the tab named in the hash of the URL, and a function that selects another tab. */
function useTab(tabs: readonly Tab[]): [Tab, (tab: Tab) => void] {
  const find = (): Tab => tabs.find(({ id }) => `#${id}` === location.hash) ?? (tabs[0] as Tab);
  const [tab, setTab] = useState(find);
  useLayoutEffect(() => {
    const onHashChange = () => setTab(find);
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  const select = (next: Tab) => {
    history.replaceState(null, "", `#${next.id}`);
    setTab(next);
  };
  return [tab, select];
}

/** Returns the index of the tab that a key selects, or -1. */
function targetIndex(key: string, index: number, length: number): number {
  if (key === "ArrowRight") return (index + 1) % length;
  if (key === "ArrowLeft") return (index - 1 + length) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : -1;
}
