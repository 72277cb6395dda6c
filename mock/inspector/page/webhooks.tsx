import type { VNode } from "preact";
import type { Delivery, EmittedEvent, EventStatus } from "../../state/records.ts";
import { ActionButton, Badge, Code, jsonOrText, Properties, statusTone, type Tone, timeOfDay } from "./elements.tsx";
import { hashOf, type Item, ListView, type PanelProps } from "./list-view.tsx";
import { call, type MockData } from "./mock-data.ts";

const TONES: Readonly<Record<EventStatus, Tone>> = {
  pending: "accent",
  succeeded: "good",
  failed: "bad",
  skipped: "plain",
};

/** Shows the emitted webhook events, newest first, and the delivery attempts of one. */
export function WebhooksPanel({ place, data }: PanelProps): VNode {
  const open = data.webhookEvents.find(({ id }) => id === place.id);
  const last = new Map(data.deliveries.map((delivery) => [delivery.event_id, delivery]));
  return (
    <ListView
      place={place}
      label="Webhook events, newest first"
      items={data.webhookEvents.map((event) => itemOf(event, last.get(event.id), data.endpoints)).reverse()}
      action={<a href={formOf("POST /__mock/webhooks/emit")}>Emit an event</a>}
      empty={<NoWebhooks />}
      detail={open && <EventDetail key={open.id} event={open} data={data} />}
    />
  );
}

/** Returns the link to the form of a control route. */
function formOf(route: string): string {
  return hashOf({ tab: "control", id: route });
}

function NoWebhooks(): VNode {
  return (
    <div class="empty">
      <h2>No webhooks yet</h2>
      <p>
        <a href={formOf("POST /__mock/webhook-endpoints")}>Create a webhook endpoint</a> with the URL of your app, then{" "}
        <a href={formOf("POST /__mock/webhooks/emit")}>emit an event</a>. Your app can also create the endpoint through
        the API.
      </p>
    </div>
  );
}

function itemOf(event: EmittedEvent, last: Delivery | undefined, endpoints: MockData["endpoints"]): Item {
  const { id, type, endpoint_id, status, created_at } = event;
  const outcome = last ? (last.error ?? last.response_status) : "no attempt yet";
  const note = `${outcome} from ${nameOf(endpoint_id, endpoints)}`;
  return { id, badge: [TONES[status], status], title: type, note, time: timeOfDay(created_at) };
}

function nameOf(id: string, endpoints: MockData["endpoints"]): string {
  const endpoint = endpoints.find((each) => each.id === id);
  return endpoint ? (endpoint.name ?? endpoint.url) : `${id} (deleted)`;
}

/** Shows one webhook event with its delivery attempts and its payload. */
function EventDetail({ event, data }: { readonly event: EmittedEvent; readonly data: MockData }): VNode {
  const { id, type, status, endpoint_id, api_version, created_at, next_attempt_at, attempts_left } = event;
  const endpoint = data.endpoints.find((each) => each.id === endpoint_id);
  const attempts = data.deliveries.filter(({ event_id }) => event_id === id).reverse();
  return (
    <>
      <h2>{type}</h2>
      <div class="bar">
        <Badge tone={TONES[status]}>{status}</Badge>
        <span class="spacer" />
        <ActionButton label="Redeliver" run={() => call("POST /webhooks/events/{id}/redeliver", { id })} />
      </div>
      <Properties
        of={{
          Event: id,
          Created: timeOfDay(created_at),
          "Next attempt": next_attempt_at && `${timeOfDay(next_attempt_at)}, ${attempts_left} left`,
          Endpoint: nameOf(endpoint_id, data.endpoints),
          Version: api_version,
          Signature: endpoint && (endpoint.uses_standard_webhook_signature ? "Standard Webhooks" : "original scheme"),
          Secret: endpoint && (
            <details>
              <summary>Show</summary>
              <code>{endpoint.secret}</code>
            </details>
          ),
        }}
      />
      <h3>Delivery attempts, newest first</h3>
      {attempts.length === 0 && <p class="muted">None yet.</p>}
      {attempts.map((delivery, index) => (
        <Attempt key={delivery.id} delivery={delivery} isOpen={index === 0} />
      ))}
      <Code title="Payload" value={jsonOrText(event.body)} />
    </>
  );
}

function Attempt({ delivery, isOpen }: { readonly delivery: Delivery; readonly isOpen: boolean }): VNode {
  const { attempt, at, status, response_status, response_body, error, url, headers, duration } = delivery;
  return (
    <details class="attempt" open={isOpen}>
      <summary>
        {attempt}. <Badge tone={statusTone(response_status)}>{response_status ?? status}</Badge> {timeOfDay(at)}{" "}
        <span class="muted">{duration.toFixed(1)} ms</span>
      </summary>
      {error && <p class="cause bad break">{error}</p>}
      <p class="break">
        POST <code>{url}</code>
      </p>
      <Code title="Response body" value={response_body && jsonOrText(response_body)} />
      <Code title="Request headers" value={headers} />
    </details>
  );
}
