import type { VNode } from "preact";
import type { Delivery, EmittedEvent, EventStatus } from "../../../state/records.ts";
import { EmptyState } from "../elements/card.tsx";
import { JsonView, jsonOrText } from "../elements/code.tsx";
import { formatDuration, formatTime, pluralize } from "../elements/format.ts";
import { ListView } from "../elements/list-view.tsx";
import type { Column } from "../elements/table.tsx";
import { Badge, DateTime, PropertyList, statusTone, TimeOfDay, type Tone } from "../elements/text.tsx";
import type { MockData } from "../session/mock-data.ts";
import type { PanelProps } from "../session/session.ts";

/** The color of each status. */
const TONES: Readonly<Record<EventStatus, Tone>> = {
  pending: "accent",
  succeeded: "good",
  failed: "bad",
  skipped: "plain",
};

/** Shows the emitted webhook events, newest first, with their delivery attempts. */
export function WebhooksPanel({ data, session }: PanelProps): VNode {
  const { webhookEvents: events, deliveries } = data;
  if (events.length === 0) {
    return (
      <EmptyState title="No webhooks yet">
        Create a webhook endpoint, then emit an event on the <a href="#endpoints">Endpoints</a> tab.
      </EmptyState>
    );
  }
  const names = namesOf(data);
  const textOf = ({ id, type, endpoint_id, api_version, status }: EmittedEvent) =>
    [id, type, names.get(endpoint_id) ?? endpoint_id, api_version, status].join("\n");
  return (
    <ListView
      label="Webhook events, newest first"
      columns={columnsFor(data)}
      noun="webhooks"
      rows={events}
      textOf={textOf}
      example="failed order"
      count={`${pluralize(events.length, "event")}, ${pluralize(deliveries.length, "attempt")}`}
      current={(opened) => events.find(({ id }) => id === opened.id)}
      titleOf={({ type }) => type}
      detailOf={(event) => <EventDetail key={event.id} event={event} data={data} session={session} />}
    />
  );
}

/** Returns the name or the URL of each webhook endpoint, by its id. */
export function namesOf({ endpoints }: MockData): ReadonlyMap<string, string> {
  return new Map(endpoints.map(({ id, name, url }) => [id, name ?? url]));
}

function columnsFor(data: MockData): readonly Column<EmittedEvent>[] {
  const names = namesOf(data);
  const responses = new Map(
    data.deliveries.map(({ event_id, response_status, error }) => [event_id, response_status ?? error]),
  );
  const none = <span class="muted">none</span>;
  return [
    { class: "col-time", title: "Time", cell: ({ created_at }) => <TimeOfDay at={created_at} /> },
    { class: "col-type", title: "Event type", cell: ({ type }) => type },
    { class: "col-endpoint", title: "Endpoint", cell: ({ endpoint_id: id }) => names.get(id) ?? id },
    { class: "col-version", title: "Version", cell: ({ api_version }) => api_version },
    { class: "col-event-status", title: "Status", cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
    { class: "col-response", title: "Last response", cell: ({ id }) => responses.get(id) ?? none },
    { class: "col-attempts", title: "Attempts", cell: ({ attempts }) => attempts },
  ];
}

/** Shows one webhook event with its payload and delivery attempts. */
function EventDetail({ event, data, session }: PanelProps & { readonly event: EmittedEvent }): VNode {
  const { id, endpoint_id, api_version, created_at, next_attempt_at, attempts_left } = event;
  const endpoint = data.endpoints.find((known) => known.id === endpoint_id);
  const attempts = data.deliveries.filter(({ event_id }) => event_id === id).reverse();
  const redeliver = () =>
    session.act((api) => api("POST /webhooks/events/{id}/redeliver", { id }), "Redelivery started.");
  return (
    <>
      <div class="detail-actions">
        <span class="muted">{pluralize(event.attempts, "attempt")}</span>
        <span class="spacer" />
        <button type="button" class="primary" onClick={redeliver}>
          Redeliver
        </button>
      </div>
      <PropertyList
        properties={[
          ["Event", <code key="id">{id}</code>],
          ["Endpoint", endpoint ? (endpoint.name ?? endpoint.url) : `${endpoint_id} (deleted)`],
          ["Version", <code key="version">{api_version}</code>],
          ["Created", <DateTime key="at" at={created_at} />],
          [
            "Next attempt",
            next_attempt_at && `${formatTime(next_attempt_at)}, ${pluralize(attempts_left, "attempt")} left`,
          ],
          ["Signature", endpoint && (endpoint.uses_standard_webhook_signature ? STANDARD : ORIGINAL)],
        ]}
      />
      <section class="body">
        <h3>Delivery attempts, newest first</h3>
        {attempts.length === 0 && <p class="muted">No attempts recorded.</p>}
        <ol class="attempts" reversed>
          {attempts.map((delivery, index) => (
            <Attempt key={delivery.id} delivery={delivery} isOpen={index === 0} />
          ))}
        </ol>
      </section>
      <JsonView title="Payload" value={jsonOrText(event.body)} empty="Empty." />
    </>
  );
}

const STANDARD = "Standard Webhooks (HMAC-SHA256, Base64-decoded secret)";
const ORIGINAL = "Original (HMAC-SHA256, whole secret as the key)";

function Attempt({ delivery, isOpen }: { readonly delivery: Delivery; readonly isOpen: boolean }): VNode {
  const { attempt, at, status, response_status, response_body, error, url, headers, duration } = delivery;
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <span class="tabular">{attempt}</span>
          <Badge tone={statusTone(response_status)}>{response_status ?? status}</Badge>
          <TimeOfDay at={at} />
          <span class="muted tabular">{formatDuration(duration)}</span>
        </summary>
        {error && <p class="bad">{error}</p>}
        <p class="break">
          POST <code>{url}</code>
        </p>
        <JsonView title="Delivery headers" value={headers} empty="" />
        {response_body && <JsonView title={`Response ${response_status}`} value={jsonOrText(response_body)} empty="" />}
      </details>
    </li>
  );
}
