import type { VNode } from "preact";
import type { Delivery, EmittedEvent } from "../../../state/records.ts";
import { Badge, statusTone } from "../elements/badge.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { formatDateTime, formatDuration, formatTime, pluralize } from "../elements/format.ts";
import { JsonView } from "../elements/json-view.tsx";
import { PropertyList } from "../elements/property-list.tsx";
import type { MockData } from "../session/mock-data.ts";
import type { Session } from "../session/session.ts";

interface WebhookEventDetailProps {
  readonly event: EmittedEvent;
  readonly data: MockData;
  readonly session: Session;
}

/** Shows one webhook event with its payload and delivery attempts. */
export function WebhookEventDetail({ event, data, session }: WebhookEventDetailProps): VNode {
  const endpoint = data.endpoints.find(({ id }) => id === event.endpoint_id);
  const attempts = data.deliveries.filter(({ event_id }) => event_id === event.id).reverse();
  const redeliver = () =>
    session.act((api) => api("POST /webhooks/events/{id}/redeliver", { id: event.id }), "Redelivery started.");
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
          ["Event", <code key="id">{event.id}</code>],
          ["Endpoint", endpoint ? (endpoint.name ?? endpoint.url) : `${event.endpoint_id} (deleted)`],
          ["Version", <code key="version">{event.api_version}</code>],
          [
            "Created",
            <time key="at" dateTime={event.created_at}>
              {formatDateTime(event.created_at)}
            </time>,
          ],
          [
            "Next attempt",
            event.next_attempt_at &&
              `${formatTime(event.next_attempt_at)}, ${pluralize(event.attempts_left, "attempt")} left`,
          ],
          ["Signature", endpoint && (endpoint.uses_standard_webhook_signature ? STANDARD : ORIGINAL)],
        ]}
      />
      <section class="body">
        <h3>Delivery attempts, newest first</h3>
        {attempts.length === 0 && <p class="muted">No attempts recorded.</p>}
        <ol class="attempts" reversed>
          {attempts.map((delivery, index) => (
            <Attempt key={delivery.id} delivery={delivery} open={index === 0} />
          ))}
        </ol>
      </section>
      <JsonView title="Payload" value={parseJson(event.body)} empty="Empty." />
    </>
  );
}

const STANDARD = "Standard Webhooks (HMAC-SHA256, Base64-decoded secret)";
const ORIGINAL = "Original (HMAC-SHA256, whole secret as the key)";

function Attempt({ delivery, open }: { readonly delivery: Delivery; readonly open: boolean }): VNode {
  const { attempt, at, status, response_status, response_body, error, headers, url, duration } = delivery;
  return (
    <li>
      <details open={open}>
        <summary>
          <span class="tabular">{attempt}</span>
          <Badge tone={response_status === null ? "bad" : statusTone(response_status)}>
            {response_status ?? status}
          </Badge>
          <time class="tabular" dateTime={at}>
            {formatTime(at)}
          </time>
          <span class="muted tabular">{formatDuration(duration)}</span>
        </summary>
        {error && <p class="bad">{error}</p>}
        <p class="break">
          POST <code>{url}</code>
        </p>
        <HeaderList headers={headers} />
        {response_body && <JsonView title={`Response ${response_status}`} value={parseJson(response_body)} empty="" />}
      </details>
    </li>
  );
}

function HeaderList({ headers }: Pick<Delivery, "headers">): VNode | null {
  const lines = Object.entries(headers);
  if (lines.length === 0) return null;
  const signature = lines.find(([name]) => name.endsWith("signature"))?.[1];
  return (
    <div class="headers">
      <dl>
        {lines.map(([name, value]) => (
          <div key={name} class={value === signature ? "strong" : ""}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {signature && <CopyButton text={signature} label="Copy signature" />}
    </div>
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
