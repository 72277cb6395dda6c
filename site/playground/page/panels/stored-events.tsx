import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { ReadonlyCollection, StoredEvent } from "../../../../mock/index.ts";

interface StoredEventsProps {
  readonly events: ReadonlyCollection<StoredEvent>;
}

/** The number of events that are shown. */
const MAX_SHOWN = 20;

/** Shows the usage events that the mock has stored, the newest first. */
export function StoredEvents({ events }: StoredEventsProps): VNode {
  const newest = useMemo(() => events.list().slice(-MAX_SHOWN).reverse(), [events, events.size]);
  return (
    <>
      <h3>Stored events: {events.size}</h3>
      {events.size === 0 ? (
        <p class="playground-empty">Usage events appear here after they are ingested.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll the table.
        <section class="playground-table" aria-label="Stored events" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {["Name", "Customer", "External id", "Timestamp"].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{newest.map(eventRow)}</tbody>
          </table>
        </section>
      )}
    </>
  );
}

function eventRow(event: StoredEvent): VNode {
  return (
    <tr key={event.id}>
      <td>
        <code>{event.name}</code>
      </td>
      <td>{event.customer_id ?? event.external_customer_id}</td>
      <td>{event.external_id}</td>
      <td>{event.timestamp}</td>
    </tr>
  );
}
