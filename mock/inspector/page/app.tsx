import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { ConnectionBanner } from "./layout/connection-banner.tsx";
import { Header } from "./layout/header.tsx";
import { NoticeToast } from "./layout/notice-toast.tsx";
import { PasswordForm } from "./layout/password-form.tsx";
import { type Tab, Tabs, useTab } from "./layout/tabs.tsx";
import { ClockPanel } from "./panels/clock-panel.tsx";
import { EndpointsPanel } from "./panels/endpoints-panel.tsx";
import { FaultsPanel } from "./panels/faults-panel.tsx";
import { RequestsPanel } from "./panels/requests-panel.tsx";
import { pendingRetries } from "./panels/retry-list.tsx";
import { UsagePanel } from "./panels/usage-panel.tsx";
import { VersionsPanel } from "./panels/versions-panel.tsx";
import { WebhooksPanel } from "./panels/webhooks-panel.tsx";
import type { MockData } from "./session/mock-data.ts";
import type { Session } from "./session/session.ts";
import { useStore } from "./session/store.ts";

const TABS: readonly Tab[] = [
  { id: "requests", title: "Requests", count: ({ requestCount }) => requestCount, Panel: RequestsPanel },
  { id: "webhooks", title: "Webhooks", count: ({ webhookEvents }) => webhookEvents.length, Panel: WebhooksPanel },
  { id: "endpoints", title: "Endpoints", count: ({ endpoints }) => endpoints.length, Panel: EndpointsPanel },
  { id: "usage", title: "Usage", count: ({ eventCount }) => eventCount, Panel: UsagePanel },
  { id: "versions", title: "Versions", count: ({ versions }) => versions.length, Panel: VersionsPanel },
  { id: "clock", title: "Clock", count: (data) => pendingRetries(data).length, Panel: ClockPanel },
  { id: "faults", title: "Faults", count: ({ faults }) => faults.length, Panel: FaultsPanel },
];

/** Renders the whole page. */
export function App({ session }: { readonly session: Session }): VNode {
  const { connection, data, notice } = useStore(session.store);
  const [selected, select] = useTab(TABS);
  useLayoutEffect(() => {
    document.title = `${selected.title} · Billing mock`;
  }, [selected]);
  const panel = isLoaded(data) ? <selected.Panel data={data} session={session} /> : <p class="hint">Loading…</p>;
  return (
    <>
      <Header connection={connection} data={data} />
      <ConnectionBanner connection={connection} />
      {connection.state === "locked" ? (
        <PasswordForm session={session} wrong={connection.wrong} />
      ) : (
        <Tabs tabs={TABS} selected={selected} select={select} data={isLoaded(data) ? data : undefined}>
          {panel}
        </Tabs>
      )}
      <NoticeToast notice={notice} />
    </>
  );
}

/** The first load reads every part, so one part is enough to check. */
function isLoaded(data: Partial<MockData>): data is MockData {
  return data.versions !== undefined;
}
