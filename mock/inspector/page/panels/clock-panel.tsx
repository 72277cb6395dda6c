import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ClockAdvance } from "../../../engine/clock.ts";
import type { EmittedEvent } from "../../../state/records.ts";
import { Card } from "../elements/card.tsx";
import { Field, Form, NumberField, Select } from "../elements/form.tsx";
import { formatDateTime, formatInteger } from "../elements/format.ts";
import { Table } from "../elements/table.tsx";
import { DateTime } from "../elements/text.tsx";
import type { MockData } from "../session/mock-data.ts";
import type { PanelProps, Session } from "../session/session.ts";
import { useTabState } from "../session/tab-state.ts";
import { namesOf } from "./webhooks-panel.tsx";

/** Shows the time of the mock and the retries that are due next, and advances the clock. */
export function ClockPanel(props: PanelProps): VNode {
  return (
    <div class="sides">
      <div class="cards">
        <MockTime known={props.data.clock.now} session={props.session} />
        <RetryList {...props} />
      </div>
      <AdvanceForm {...props} />
    </div>
  );
}

/** How often the page asks for the time, in milliseconds. */
const ASK_EVERY = 1000;

/** Shows the time of the mock, and keeps it up to date. */
function MockTime({ known, session }: { readonly known: string; readonly session: Session }): VNode {
  const [now, setNow] = useState(known);
  useEffect(() => {
    setNow(known);
    const ask = () => {
      // The connection banner already tells when the server cannot be reached.
      if (!document.hidden)
        session.api("GET /clock").then(
          (clock) => setNow(clock.now),
          () => {},
        );
    };
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, [known, session]);
  return (
    <Card title="Time of the mock">
      <p class="clock-time">
        <DateTime at={now} />
      </p>
      <p class="muted tabular">{now.slice(0, 19).replace("T", " ")} UTC</p>
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
  const [amount, setAmount] = useTabState("clock.amount", "20");
  const [unit, setUnit] = useTabState<string>("clock.unit", "minutes");
  const [isBusy, setBusy] = useState(false);
  const advance = async () => {
    setBusy(true);
    await advanceClock(session, { [unit]: Number(amount) });
    setBusy(false);
  };
  return (
    <Form title="Advance the clock" action="Advance" isBusy={isBusy} onSubmit={advance}>
      <div class="pairs">
        <NumberField
          label="Amount"
          step="any"
          required
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        <Field label="Unit">
          <Select value={unit} options={UNITS} onChange={setUnit} />
        </Field>
      </div>
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
export function pendingRetries({ webhookEvents }: MockData): readonly PendingRetry[] {
  return webhookEvents
    .filter((event): event is PendingRetry => event.attempts > 0 && event.next_attempt_at !== null)
    .sort((a, b) => (a.next_attempt_at < b.next_attempt_at ? -1 : 1));
}

/** Shows the retries that are due next, and a button that advances the clock to the first one. */
function RetryList({ data, session }: PanelProps): VNode {
  const retries = pendingRetries(data);
  const names = namesOf(data);
  const [first] = retries;
  if (!first) {
    return (
      <Card title="Pending retries">
        <p class="muted">No delivery waits for a retry.</p>
      </Card>
    );
  }
  const advance = (
    <button type="button" onClick={() => advanceClock(session, { to: first.next_attempt_at })}>
      Advance to the first one
    </button>
  );
  return (
    <Card title="Pending retries" action={advance}>
      <Table
        label="Table of pending retries"
        rows={retries.slice(0, MAX_LISTED)}
        keyOf={({ id }) => id}
        columns={[
          { title: "Due", cell: ({ next_attempt_at }) => <DateTime at={next_attempt_at} /> },
          { title: "Event type", class: "break", cell: ({ type }) => type },
          { title: "Endpoint", class: "break", cell: ({ endpoint_id: id }) => names.get(id) ?? id },
          { title: "Attempt", class: "number", cell: ({ attempts }) => attempts + 1 },
        ]}
      />
      {retries.length > MAX_LISTED && <p class="muted">and {formatInteger(retries.length - MAX_LISTED)} more</p>}
    </Card>
  );
}
