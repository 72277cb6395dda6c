import type { VNode } from "preact";
import type { EmittedEvent, EventStatus } from "../../../state/records.ts";
import { Badge, type Tone } from "../elements/badge.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { pluralize } from "../elements/format.ts";
import { type Column, Grid } from "../elements/grid.tsx";
import { SplitView } from "../elements/split-view.tsx";
import { TimeOfDay } from "../elements/time-of-day.tsx";
import type { MockData } from "../session/mock-data.ts";
import { useTabState } from "../session/use-tab-state.ts";
import type { PanelProps } from "./panel-props.ts";
import { WebhookEventDetail } from "./webhook-event-detail.tsx";

/** The color of each status. */
const TONES: Readonly<Record<EventStatus, Tone>> = {
  pending: "accent",
  succeeded: "good",
  failed: "bad",
  skipped: "plain",
};

/** Shows the emitted webhook events, newest first, with their delivery attempts. */
export function WebhooksPanel({ data, session }: PanelProps): VNode {
  const [openId, setOpenId] = useTabState<string | undefined>("webhooks.open", undefined);
  const [focusCount, setFocusCount] = useTabState("webhooks.focusCount", 0);
  const open = data.webhookEvents.find(({ id }) => id === openId);
  const show = ({ id }: EmittedEvent, byKeyboard: boolean) => {
    setOpenId(id);
    setFocusCount(byKeyboard ? focusCount + 1 : 0);
  };
  if (data.webhookEvents.length === 0) return <NoWebhooks />;
  const list = (
    <>
      <div class="toolbar">
        <span class="muted tabular">
          {pluralize(data.webhookEvents.length, "event")}, {pluralize(data.deliveries.length, "attempt")}
        </span>
      </div>
      <Grid
        label="Webhook events, newest first"
        columns={columnsFor(data)}
        rows={data.webhookEvents.toReversed()}
        keyOf={({ id }) => id}
        open={open?.id}
        onOpen={show}
      />
    </>
  );
  const detail = open && <WebhookEventDetail key={open.id} event={open} data={data} session={session} />;
  return (
    <SplitView
      list={list}
      detail={detail}
      title={open?.type ?? ""}
      focusCount={focusCount}
      onClose={() => setOpenId(undefined)}
    />
  );
}

function NoWebhooks(): VNode {
  return (
    <EmptyState title="No webhooks yet">
      Create a webhook endpoint, then emit an event on the <a href="#endpoints">Endpoints</a> tab.
    </EmptyState>
  );
}

function columnsFor({ endpoints, deliveries }: MockData): readonly Column<EmittedEvent>[] {
  const urls = new Map(endpoints.map(({ id, name, url }) => [id, name ?? url]));
  const responses = new Map(
    deliveries.map(({ event_id, response_status, error }) => [event_id, response_status ?? error]),
  );
  return [
    { name: "time", title: "Time", cell: ({ created_at }) => <TimeOfDay at={created_at} /> },
    { name: "type", title: "Event type", cell: ({ type }) => type },
    { name: "endpoint", title: "Endpoint", cell: ({ endpoint_id }) => urls.get(endpoint_id) ?? endpoint_id },
    { name: "version", title: "Version", cell: ({ api_version }) => api_version },
    { name: "event-status", title: "Status", cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
    {
      name: "response",
      title: "Last response",
      cell: ({ id }) => responses.get(id) ?? <span class="muted">none</span>,
    },
    { name: "attempts", title: "Attempts", cell: ({ attempts }) => attempts },
  ];
}
