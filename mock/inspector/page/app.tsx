import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Banner } from "./banner.tsx";
import type { Data } from "./data.ts";
import { Deliveries } from "./deliveries.tsx";
import { Endpoints } from "./endpoints.tsx";
import { Faults } from "./faults.tsx";
import { Header } from "./header.tsx";
import { Notices } from "./notices.tsx";
import { Password } from "./password.tsx";
import { Requests } from "./requests.tsx";
import type { Session } from "./session.ts";
import { useStore } from "./store.ts";
import { type Tab, Tabs, useTab } from "./tabs.tsx";
import { Usage } from "./usage.tsx";
import { Versions } from "./versions.tsx";

/** What every tab is given. */
export interface PanelProps {
  readonly data: Data;
  readonly session: Session;
}

const TABS: readonly Tab[] = [
  { id: "requests", title: "Requests", count: ({ requestCount }) => requestCount, Panel: Requests },
  { id: "deliveries", title: "Webhooks", count: ({ webhookEvents }) => webhookEvents.length, Panel: Deliveries },
  { id: "endpoints", title: "Endpoints", count: ({ endpoints }) => endpoints.length, Panel: Endpoints },
  { id: "usage", title: "Usage", count: ({ usage }) => usage.total, Panel: Usage },
  { id: "versions", title: "Versions", count: ({ offer }) => offer.versions.length, Panel: Versions },
  { id: "faults", title: "Faults", count: ({ faults }) => faults.length, Panel: Faults },
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
      <Banner link={link} />
      {link.state === "locked" ? (
        <Password session={session} wrong={link.wrong} />
      ) : (
        <Tabs tabs={TABS} selected={selected} select={select} data={isWhole(data) ? data : undefined}>
          {panel}
        </Tabs>
      )}
      <Notices notice={notice} />
    </>
  );
}

/** All parts come with the first answer. */
function isWhole(data: Partial<Data>): data is Data {
  return data.offer !== undefined;
}
