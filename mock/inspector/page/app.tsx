import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Data } from "./data.ts";
import { ConnectionBanner } from "./layout/connection-banner.tsx";
import { Header } from "./layout/header.tsx";
import { NoticeToast } from "./layout/notice-toast.tsx";
import { PasswordForm } from "./layout/password-form.tsx";
import { type Tab, Tabs, useTab } from "./layout/tabs.tsx";
import { EndpointsPanel } from "./panels/endpoints-panel.tsx";
import { FaultsPanel } from "./panels/faults-panel.tsx";
import { RequestsPanel } from "./panels/requests-panel.tsx";
import { UsagePanel } from "./panels/usage-panel.tsx";
import { VersionsPanel } from "./panels/versions-panel.tsx";
import { WebhooksPanel } from "./panels/webhooks-panel.tsx";
import type { Session } from "./session/session.ts";
import { useStore } from "./session/store.ts";

const TABS: readonly Tab[] = [
  { id: "requests", title: "Requests", count: ({ requestCount }) => requestCount, Panel: RequestsPanel },
  { id: "deliveries", title: "Webhooks", count: ({ webhookEvents }) => webhookEvents.length, Panel: WebhooksPanel },
  { id: "endpoints", title: "Endpoints", count: ({ endpoints }) => endpoints.length, Panel: EndpointsPanel },
  { id: "usage", title: "Usage", count: ({ usage }) => usage.total, Panel: UsagePanel },
  { id: "versions", title: "Versions", count: ({ offer }) => offer.versions.length, Panel: VersionsPanel },
  { id: "faults", title: "Faults", count: ({ faults }) => faults.length, Panel: FaultsPanel },
];

/** The whole page. */
export function App({ session }: { readonly session: Session }): VNode {
  const { link, data, notice } = useStore(session.store);
  const [selected, select] = useTab(TABS);
  useLayoutEffect(() => {
    document.title = `${selected.title} · Billing mock`;
  }, [selected]);
  const panel = isWhole(data) ? <selected.Panel data={data} session={session} /> : <p class="hint">Loading…</p>;
  return (
    <>
      <Header link={link} data={data} />
      <ConnectionBanner link={link} />
      {link.state === "locked" ? (
        <PasswordForm session={session} wrong={link.wrong} />
      ) : (
        <Tabs tabs={TABS} selected={selected} select={select} data={isWhole(data) ? data : undefined}>
          {panel}
        </Tabs>
      )}
      <NoticeToast notice={notice} />
    </>
  );
}

/** All parts come with the first answer. */
function isWhole(data: Partial<Data>): data is Data {
  return data.offer !== undefined;
}
