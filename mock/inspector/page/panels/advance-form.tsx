import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ClockAdvance } from "../../../engine/clock.ts";
import { formatDateTime } from "../elements/format.ts";
import { errorMessage, type Session } from "../session/session.ts";
import { useTabState } from "../session/use-tab-state.ts";
import type { PanelProps } from "./panel-props.ts";

type Unit = Exclude<keyof ClockAdvance, "to">;

const UNITS: readonly Unit[] = ["milliseconds", "seconds", "minutes", "hours", "days"];

/** Advances the clock and announces the new time. */
export async function advanceClock(session: Session, body: ClockAdvance): Promise<void> {
  session.notify("Advancing the clock…");
  try {
    const { now } = await session.api("POST /clock/advance", { body });
    session.notify(`The time of the mock is now ${formatDateTime(now)}.`);
  } catch (error) {
    session.notify(errorMessage(error), true);
  }
}

/** Advances the clock from a form. */
export function AdvanceForm({ session }: PanelProps): VNode {
  const [amount, setAmount] = useTabState("clock.amount", "20");
  const [unit, setUnit] = useTabState<Unit>("clock.unit", "minutes");
  const [isAdvancing, setAdvancing] = useState(false);
  const advance = async (event: Event) => {
    event.preventDefault();
    if (isAdvancing) return;
    setAdvancing(true);
    await advanceClock(session, { [unit]: Number(amount) });
    setAdvancing(false);
  };
  return (
    <form class="card form" onSubmit={advance} aria-labelledby="advance-title">
      <h2 id="advance-title">Advance the clock</h2>
      <div class="pairs">
        <label class="field">
          Amount
          <input
            type="number"
            min={0}
            step="any"
            required
            value={amount}
            onInput={({ currentTarget }) => setAmount(currentTarget.value)}
          />
        </label>
        <label class="field">
          Unit
          <select value={unit} onChange={({ currentTarget }) => setUnit(currentTarget.value as Unit)}>
            {UNITS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <p class="muted">
        Everything that becomes due in this time happens in order: deliveries are retried, tokens expire, rate limits
        reset. To go back, reset the mock or restore a snapshot.
      </p>
      <button type="submit" class="primary" aria-disabled={isAdvancing}>
        Advance
      </button>
    </form>
  );
}
