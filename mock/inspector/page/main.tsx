import { type ComponentType, render, type VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { formatInteger } from "./elements/format.ts";
import { Header, NoticeToast, PasswordForm } from "./header.tsx";
import { ClockPanel } from "./panels/clock-panel.tsx";
import { EndpointsPanel } from "./panels/endpoints-panel.tsx";
import { FaultsPanel } from "./panels/faults-panel.tsx";
import { RecordsPanel } from "./panels/records-panel.tsx";
import { RequestsPanel } from "./panels/requests-panel.tsx";
import { UsagePanel } from "./panels/usage-panel.tsx";
import { VersionsPanel } from "./panels/versions-panel.tsx";
import { WebhooksPanel } from "./panels/webhooks-panel.tsx";
import type { MockData } from "./session/mock-data.ts";
import { type PageProps, type PanelProps, Session } from "./session/session.ts";

/** One tab of the page. */
interface Tab {
  readonly id: string;
  readonly title: string;
  /** Returns the number to show next to the title. */
  readonly count?: (data: MockData) => number;
  readonly Panel: ComponentType<PanelProps>;
}

/** The tabs of the page, each with its panel. */
const TABS: readonly Tab[] = [
  { id: "requests", title: "Requests", count: ({ counts }) => counts.requests, Panel: RequestsPanel },
  { id: "webhooks", title: "Webhooks", count: ({ counts }) => counts.webhookEvents, Panel: WebhooksPanel },
  { id: "endpoints", title: "Endpoints", count: ({ counts }) => counts.webhookEndpoints, Panel: EndpointsPanel },
  { id: "records", title: "Records", count: ({ counts }) => counts.products + counts.customers, Panel: RecordsPanel },
  { id: "usage", title: "Usage", count: ({ counts }) => counts.events, Panel: UsagePanel },
  { id: "versions", title: "Versions", count: ({ overview }) => overview.versions.length, Panel: VersionsPanel },
  { id: "clock", title: "Clock", Panel: ClockPanel },
  { id: "faults", title: "Faults", count: ({ faults }) => faults.length, Panel: FaultsPanel },
];

/** The whole page. */
function App(page: PageProps): VNode {
  const { connection, notice, session } = page;
  return (
    <>
      <Header {...page} />
      {connection.state === "locked" ? (
        <PasswordForm session={session} isWrong={connection.wrong} />
      ) : (
        <Tabs {...page} />
      )}
      <NoticeToast notice={notice} />
    </>
  );
}

/** Shows a link to each tab, and the panel of the tab that the hash of the URL names. */
function Tabs({ data, session }: PageProps): VNode {
  const [hash, setHash] = useState(location.hash);
  const selected = TABS.find(({ id }) => `#${id}` === hash) ?? (TABS[0] as Tab);
  const loaded = isLoaded(data) ? data : undefined;
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
        {TABS.map((tab) => (
          <a key={tab.id} href={`#${tab.id}`} aria-current={tab === selected ? "page" : undefined}>
            {tab.title}
            {loaded && tab.count && <span class="count">{formatInteger(tab.count(loaded))}</span>}
          </a>
        ))}
      </nav>
      <main class="panel">
        {loaded ? <selected.Panel key={selected.id} data={loaded} session={session} /> : <p class="hint">Loading…</p>}
      </main>
    </>
  );
}

/** The first load reads every part, so one part is enough to check. */
function isLoaded(data: Partial<MockData>): data is MockData {
  return data.overview !== undefined;
}

const root = document.getElementById("app") as HTMLElement;
const session: Session = new Session((state) => render(<App {...state} session={session} />, root));
void session.follow();
