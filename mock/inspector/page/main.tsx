import { render, type VNode } from "preact";
import { Header, NoticeToast, PasswordForm } from "./header.tsx";
import { ClockPanel, pendingRetries } from "./panels/clock-panel.tsx";
import { EndpointsPanel } from "./panels/endpoints-panel.tsx";
import { FaultsPanel } from "./panels/faults-panel.tsx";
import { RecordsPanel } from "./panels/records-panel.tsx";
import { RequestsPanel } from "./panels/requests-panel.tsx";
import { UsagePanel } from "./panels/usage-panel.tsx";
import { VersionsPanel } from "./panels/versions-panel.tsx";
import { WebhooksPanel } from "./panels/webhooks-panel.tsx";
import type { MockData } from "./session/mock-data.ts";
import { Session, type SessionState } from "./session/session.ts";
import { type Tab, Tabs } from "./tabs.tsx";

/** The tabs of the page, each with its panel. */
const TABS: readonly Tab[] = [
  { id: "requests", title: "Requests", count: ({ counts }) => counts.requests, Panel: RequestsPanel },
  { id: "webhooks", title: "Webhooks", count: ({ counts }) => counts.webhookEvents, Panel: WebhooksPanel },
  { id: "endpoints", title: "Endpoints", count: ({ counts }) => counts.webhookEndpoints, Panel: EndpointsPanel },
  { id: "records", title: "Records", count: ({ counts }) => counts.products + counts.customers, Panel: RecordsPanel },
  { id: "usage", title: "Usage", count: ({ counts }) => counts.events, Panel: UsagePanel },
  { id: "versions", title: "Versions", count: ({ overview }) => overview.versions.length, Panel: VersionsPanel },
  { id: "clock", title: "Clock", count: (data) => pendingRetries(data).length, Panel: ClockPanel },
  { id: "faults", title: "Faults", count: ({ faults }) => faults.length, Panel: FaultsPanel },
];

interface AppProps {
  readonly state: SessionState;
  readonly session: Session;
}

/** The whole page. */
function App({ state, session }: AppProps): VNode {
  const { connection, data, notice } = state;
  return (
    <>
      <Header {...state} session={session} />
      {connection.state === "locked" ? (
        <PasswordForm session={session} isWrong={connection.wrong} />
      ) : (
        <Tabs tabs={TABS} data={isLoaded(data) ? data : undefined} session={session} />
      )}
      <NoticeToast notice={notice} />
    </>
  );
}

/** The first load reads every part, so one part is enough to check. */
function isLoaded(data: Partial<MockData>): data is MockData {
  return data.overview !== undefined;
}

const root = document.getElementById("app") as HTMLElement;
const session: Session = new Session((state) => render(<App state={state} session={session} />, root));
void session.follow();
