import type { VNode } from "preact";
import type { EmittedEvent } from "../../../state/records.ts";
import { formatDateTime, formatInteger } from "../elements/format.ts";
import type { MockData } from "../session/mock-data.ts";
import { advanceClock } from "./advance-form.tsx";
import type { PanelProps } from "./panel-props.ts";

/** Maximum number of retries in the list. */
const MAX_LISTED = 20;

/** An event that waits for its next attempt. */
type PendingRetry = EmittedEvent & { readonly next_attempt_at: string };

/** Returns the events that wait for a retry, the one that is due first in front. */
export function pendingRetries({ webhookEvents }: MockData): readonly PendingRetry[] {
  return webhookEvents
    .filter((event): event is PendingRetry => event.attempts > 0 && event.next_attempt_at !== null)
    .sort((a, b) => (a.next_attempt_at < b.next_attempt_at ? -1 : 1));
}

interface RetryListProps extends PanelProps {
  readonly retries: readonly PendingRetry[];
}

/** Shows the retries that are due next, and a button that advances the clock to the first one. */
export function RetryList({ retries, data, session }: RetryListProps): VNode {
  const [first] = retries;
  return (
    <section class="card" aria-labelledby="retries-title">
      <div class="card-bar">
        <h2 id="retries-title">Pending retries</h2>
        <span class="spacer" />
        {first && (
          <button type="button" onClick={() => advanceClock(session, { to: first.next_attempt_at })}>
            Advance to the first one
          </button>
        )}
      </div>
      {first ? <RetryTable retries={retries} data={data} /> : <p class="muted">No delivery waits for a retry.</p>}
    </section>
  );
}

function RetryTable({ retries, data: { endpoints } }: Pick<RetryListProps, "retries" | "data">): VNode {
  const names = new Map(endpoints.map(({ id, name, url }) => [id, name ?? url]));
  const hidden = retries.length - MAX_LISTED;
  return (
    <div class="overflow">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Due</th>
            <th scope="col">Event type</th>
            <th scope="col">Endpoint</th>
            <th scope="col" class="number">
              Attempt
            </th>
          </tr>
        </thead>
        <tbody>
          {retries.slice(0, MAX_LISTED).map(({ id, next_attempt_at, type, endpoint_id, attempts }) => (
            <tr key={id}>
              <td class="tabular">
                <time dateTime={next_attempt_at}>{formatDateTime(next_attempt_at)}</time>
              </td>
              <td class="break">{type}</td>
              <td class="break">{names.get(endpoint_id) ?? endpoint_id}</td>
              <td class="number">{attempts + 1}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p class="muted">and {formatInteger(hidden)} more</p>}
    </div>
  );
}
