import type { VNode } from "preact";
import type { EmittedEvent, EventStatus } from "../../webhooks/webhooks.ts";
import type { PanelProps } from "./app.tsx";
import { Badge, type Tone } from "./badge.tsx";
import { Clock } from "./clock.tsx";
import type { Data } from "./data.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { Empty } from "./empty.tsx";
import { counted } from "./format.ts";
import { type Column, Grid } from "./grid.tsx";
import { Split } from "./split.tsx";
import { useKept } from "./store.ts";

/** The colour of what became of an event. */
const TONES: Readonly<Record<EventStatus, Tone>> = {
  pending: "accent",
  succeeded: "good",
  failed: "bad",
  skipped: "plain",
};

/** The webhooks that were emitted, newest first, with every attempt to deliver them. */
export function Deliveries({ data, session }: PanelProps): VNode {
  const [openId, setOpenId] = useKept<string | undefined>("deliveries.open", undefined);
  const [entered, setEntered] = useKept("deliveries.entered", 0);
  const open = data.webhookEvents.find(({ id }) => id === openId);
  const show = ({ id }: EmittedEvent, enter: boolean) => {
    setOpenId(id);
    setEntered(enter ? entered + 1 : 0);
  };
  if (data.webhookEvents.length === 0) return <NoDeliveries />;
  const list = (
    <>
      <div class="toolbar">
        <span class="muted tabular">
          {counted(data.webhookEvents.length, "event")}, {counted(data.deliveries.length, "attempt")}
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
  const detail = open && <DeliveryDetail key={open.id} event={open} data={data} session={session} />;
  return (
    <Split
      list={list}
      detail={detail}
      title={open?.type ?? ""}
      entered={entered}
      onClose={() => setOpenId(undefined)}
    />
  );
}

function NoDeliveries(): VNode {
  return (
    <Empty title="No webhooks yet">
      Make an endpoint, then send it an event of one of its types: under <a href="#endpoints">Endpoints</a> there is a
      form for that.
    </Empty>
  );
}

function columnsFor({ endpoints, deliveries }: Data): readonly Column<EmittedEvent>[] {
  const urls = new Map(endpoints.map(({ id, name, url }) => [id, name ?? url]));
  const answers = new Map(
    deliveries.map(({ event_id, response_status, error }) => [event_id, response_status ?? error]),
  );
  return [
    { name: "time", title: "Time", cell: ({ created_at }) => <Clock at={created_at} /> },
    { name: "type", title: "Event type", cell: ({ type }) => type },
    { name: "endpoint", title: "Endpoint", cell: ({ endpoint_id }) => urls.get(endpoint_id) ?? endpoint_id },
    { name: "version", title: "Version", cell: ({ api_version }) => api_version },
    { name: "event-status", title: "Status", cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
    { name: "answer", title: "Last answer", cell: ({ id }) => answers.get(id) ?? <span class="muted">none</span> },
    { name: "attempts", title: "Attempts", cell: ({ attempts }) => attempts },
  ];
}
