import type { ComponentChildren, ComponentType, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatInteger } from "../elements/format.ts";
import type { PanelProps } from "../panels/panel-props.ts";
import type { MockData } from "../session/mock-data.ts";

/** One tab of the page. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Returns the number to show next to the title. */
  readonly count: (data: MockData) => number;
  readonly Panel: ComponentType<PanelProps>;
}

/** Returns the tab named in the hash of the URL, and a function that selects another tab. */
export function useTab(tabs: readonly Tab[]): [Tab, (tab: Tab) => void] {
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

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly selected: Tab;
  readonly select: (tab: Tab) => void;
  readonly data: MockData | undefined;
  readonly children: ComponentChildren;
}

/** Shows the tab bar and the selected panel. The arrow keys, Home and End select a tab (WAI-ARIA tabs pattern). */
export function Tabs({ tabs, selected, select, data, children }: TabsProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
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
            <TabButton key={tab.id} tab={tab} selected={tab === selected} select={select} data={data} />
          ))}
        </div>
      </nav>
      <main class="panels">
        {tabs.map((tab) => (
          <div
            key={tab.id}
            role="tabpanel"
            id={`panel-${tab.id}`}
            aria-labelledby={`tab-${tab.id}`}
            class="panel"
            hidden={tab !== selected}
          >
            {tab === selected && children}
          </div>
        ))}
      </main>
    </>
  );
}

interface TabButtonProps extends Pick<TabsProps, "select" | "data"> {
  readonly tab: Tab;
  readonly selected: boolean;
}

function TabButton({ tab, selected, select, data }: TabButtonProps): VNode {
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${tab.id}`}
      aria-selected={selected}
      aria-controls={`panel-${tab.id}`}
      tabIndex={selected ? 0 : -1}
      onClick={() => select(tab)}
    >
      {tab.title}
      {data && <span class="count">{formatInteger(tab.count(data))}</span>}
    </button>
  );
}

/** Returns the index of the tab that a key selects, or -1. */
function targetIndex(key: string, index: number, length: number): number {
  if (key === "ArrowRight") return (index + 1) % length;
  if (key === "ArrowLeft") return (index - 1 + length) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : -1;
}
