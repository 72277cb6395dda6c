import type { VNode } from "preact";
import type { EmittedEvent, EventStatus } from "../../../webhooks/webhooks.ts";
import type { Data } from "../data.ts";
import { Badge, type Tone } from "../elements/badge.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { pluralize } from "../elements/format.ts";
import { type Column, Grid } from "../elements/grid.tsx";
import { SplitView } from "../elements/split-view.tsx";
import { TimeOfDay } from "../elements/time-of-day.tsx";
import { useTabState } from "../session/store.ts";
import type { PanelProps } from "./panel-props.ts";
import { WebhookEventDetail } from "./webhook-event-detail.tsx";

/** The colour of what became of an event. */
const TONES: Readonly<Record<EventStatus, Tone>> = {
  pending: "accent",
  succeeded: "good",
  failed: "bad",
  skipped: "plain",
};

/** The webhooks that were emitted, newest first, with every attempt to deliver them. */
export function WebhooksPanel({ data, session }: PanelProps): VNode {
  const [openId, setOpenId] = useTabState<string | undefined>("deliveries.open", undefined);
  const [entered, setEntered] = useTabState("deliveries.entered", 0);
  const open = data.webhookEvents.find(({ id }) => id === openId);
  const show = ({ id }: EmittedEvent, enter: boolean) => {
    setOpenId(id);
    setEntered(enter ? entered + 1 : 0);
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
      entered={entered}
      onClose={() => setOpenId(undefined)}
    />
  );
}

function NoWebhooks(): VNode {
  return (
    <EmptyState title="No webhooks yet">
      Make an endpoint, then send it an event of one of its types: under <a href="#endpoints">Endpoints</a> there is a
      form for that.
    </EmptyState>
  );
}

function columnsFor({ endpoints, deliveries }: Data): readonly Column<EmittedEvent>[] {
  const urls = new Map(endpoints.map(({ id, name, url }) => [id, name ?? url]));
  const answers = new Map(
    deliveries.map(({ event_id, response_status, error }) => [event_id, response_status ?? error]),
  );
  return [
    { name: "time", title: "Time", cell: ({ created_at }) => <TimeOfDay at={created_at} /> },
    { name: "type", title: "Event type", cell: ({ type }) => type },
    { name: "endpoint", title: "Endpoint", cell: ({ endpoint_id }) => urls.get(endpoint_id) ?? endpoint_id },
    { name: "version", title: "Version", cell: ({ api_version }) => api_version },
    { name: "event-status", title: "Status", cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
    { name: "answer", title: "Last answer", cell: ({ id }) => answers.get(id) ?? <span class="muted">none</span> },
    { name: "attempts", title: "Attempts", cell: ({ attempts }) => attempts },
  ];
}
