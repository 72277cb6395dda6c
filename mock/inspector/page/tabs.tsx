import type { ComponentType, VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
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

/** Shows a link to each tab, and the panel of the tab that the hash of the URL names. */
export function Tabs({ tabs, data, session }: TabsProps): VNode {
  const [hash, setHash] = useState(location.hash);
  const selected = tabs.find(({ id }) => `#${id}` === hash) ?? (tabs[0] as Tab);
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useLayoutEffect(() => {
    document.title = `${selected.title} · Billing mock`;
  }, [selected]);
  return (
    <>
      <nav class="tabs" aria-label="Inspector">
        {tabs.map((tab) => (
          <a key={tab.id} href={`#${tab.id}`} aria-current={tab === selected ? "page" : undefined}>
            {tab.title}
            {data && <span class="count">{formatInteger(tab.count(data))}</span>}
          </a>
        ))}
      </nav>
      <main class="panel">
        {data ? <selected.Panel key={selected.id} data={data} session={session} /> : <p class="hint">Loading…</p>}
      </main>
    </>
  );
}
