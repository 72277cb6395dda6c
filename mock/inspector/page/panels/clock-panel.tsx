import type { VNode } from "preact";
import type { ClockAdvance } from "../../../clock/advance.ts";
import type { EmittedEvent } from "../../../state/records.ts";
import { Card } from "../elements/card.tsx";
import { Form } from "../elements/form.tsx";
import { formatDateTime } from "../elements/format.ts";
import { Table } from "../elements/table.tsx";
import { DateTime } from "../elements/text.tsx";
import { useRoute } from "../session/hooks.ts";
import type { MockData } from "../session/mock-data.ts";
import type { PanelProps, Session } from "../session/session.ts";
import { namesOf } from "./webhooks-panel.tsx";

/** Shows the time of the mock and the retries that are due next, and advances the clock. */
export function ClockPanel(props: PanelProps): VNode {
  return (
    <div class="sides">
      <div class="cards">
        <MockTime {...props} />
        <RetryList {...props} />
      </div>
      <AdvanceForm {...props} />
    </div>
  );
}

/** How often the page asks for the time, in milliseconds. */
const ASK_EVERY = 1000;

/** Shows the time of the mock, and keeps it up to date. */
function MockTime(props: PanelProps): VNode {
  const clock = useRoute("GET /clock", props, ASK_EVERY);
  return (
    <Card title="Time of the mock">
      {clock && (
        <>
          <p class="clock-time">
            <DateTime at={clock.now} />
          </p>
          <p class="muted tabular">in your time zone; {clock.now.slice(0, 19).replace("T", " ")} UTC</p>
        </>
      )}
    </Card>
  );
}

/** Advances the clock and announces the new time. */
function advanceClock(session: Session, body: ClockAdvance): Promise<void> {
  session.notify("Advancing the clock…");
  return session.act(
    (api) => api("POST /clock/advance", { body }),
    ({ now }) => `The time of the mock is now ${formatDateTime(now)}.`,
  );
}

const UNITS = ["milliseconds", "seconds", "minutes", "hours", "days"] as const;

/** Advances the clock from a form. */
function AdvanceForm({ session }: PanelProps): VNode {
  return (
    <Form
      title="Advance the clock"
      action="Advance"
      fields={[
        { label: "Amount", name: "amount", type: "number", min: 0, step: "any", required: true, defaultValue: "20" },
        { label: "Unit", name: "unit", options: UNITS, selected: "minutes" },
      ]}
      onSubmit={({ amount, unit = "" }) => advanceClock(session, { [unit]: Number(amount) })}
    >
      <p class="muted">
        Everything that becomes due in this time happens in order: deliveries are retried, tokens expire, rate limits
        reset. To go back, reset the mock or restore a snapshot.
      </p>
    </Form>
  );
}

/** Maximum number of retries in the list. */
const MAX_LISTED = 20;

/** An event that waits for its next attempt. */
type PendingRetry = EmittedEvent & { readonly next_attempt_at: string };

/** Returns the events that wait for a retry, the one that is due first in front. */
function pendingRetries({ webhookEvents }: MockData): readonly PendingRetry[] {
  return webhookEvents
    .filter((event): event is PendingRetry => event.attempts > 0 && event.next_attempt_at !== null)
    .sort((a, b) => (a.next_attempt_at < b.next_attempt_at ? -1 : 1));
}

/** Shows the retries that are due next, and a button that advances the clock to the first one. */
function RetryList({ data, session }: PanelProps): VNode {
  const retries = pendingRetries(data);
  const names = namesOf(data);
  const [first] = retries;
  const advance = first && (
    <button type="button" onClick={() => advanceClock(session, { to: first.next_attempt_at })}>
      Advance to the first one
    </button>
  );
  return (
    <Card title="Pending retries" action={advance}>
      <Table
        label="Table of pending retries"
        empty="No delivery waits for a retry."
        limit={MAX_LISTED}
        rows={retries}
        columns={[
          { title: "Due", cell: ({ next_attempt_at }) => <DateTime at={next_attempt_at} /> },
          { title: "Event type", class: "break", cell: ({ type }) => type },
          { title: "Endpoint", class: "break", cell: ({ endpoint_id: id }) => names.get(id) ?? id },
          { title: "Attempt", class: "number", cell: ({ attempts }) => attempts + 1 },
        ]}
      />
    </Card>
  );
}
