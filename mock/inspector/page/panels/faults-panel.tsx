import type { VNode } from "preact";
import type { Fault } from "../../../faults/fault.ts";
import { EmptyState } from "../elements/empty-state.tsx";
import { formatDuration, formatInteger } from "../elements/format.ts";
import type { Session } from "../session/session.ts";
import { describe } from "./fault-effects.ts";
import { FaultForm } from "./fault-form.tsx";
import type { PanelProps } from "./panel-props.ts";

/** The faults that are on, and a form that adds one. */
export function FaultsPanel({ data, session }: PanelProps): VNode {
  return (
    <div class="sides">
      {data.faults.length === 0 ? (
        <EmptyState title="No faults">
          Every request is answered as it should be. The form makes some of them fail.
        </EmptyState>
      ) : (
        <FaultList faults={data.faults} session={session} />
      )}
      <FaultForm data={data} session={session} />
    </div>
  );
}

interface FaultListProps {
  readonly faults: readonly Fault[];
  readonly session: Session;
}

function FaultList({ faults, session }: FaultListProps): VNode {
  return (
    <section class="card" aria-label="Faults that are on">
      <div class="card-bar">
        <h2>Tried in this order</h2>
        <span class="space" />
        <button type="button" onClick={() => session.act("DELETE", "/faults", undefined, "All faults are off.")}>
          Remove all
        </button>
      </div>
      <div class="overflow">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Requests</th>
              <th scope="col">What happens</th>
              <th scope="col" class="number">
                Struck
              </th>
              <th scope="col" class="number">
                Left
              </th>
              <th scope="col">
                <span class="unseen">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {faults.map((fault) => (
              <FaultRow key={fault.id} fault={fault} session={session} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function FaultRow({ fault, session }: { readonly fault: Fault; readonly session: Session }): VNode {
  const { id, operation, skip = 0, skipped, times, probability, struck, delay, retryAfter } = fault;
  const more = [
    delay !== undefined && `after ${formatDuration(delay)}`,
    retryAfter !== undefined && `Retry-After: ${retryAfter}`,
    skip > 0 && `skips the first ${formatInteger(skip)} (${formatInteger(skip - skipped)} left)`,
    probability !== undefined && `${Math.round(probability * 1000) / 10} % of requests`,
  ].filter(Boolean);
  return (
    <tr>
      <td class="break">{operation ? <code>{operation}</code> : "all"}</td>
      <td>
        {describe(fault)}
        {more.length > 0 && <span class="muted"> {more.join(", ")}</span>}
      </td>
      <td class="number">{formatInteger(struck)}</td>
      <td class="number">{times === undefined ? <span class="muted">no end</span> : formatInteger(times - struck)}</td>
      <td class="number">
        <button type="button" onClick={() => session.act("DELETE", `/faults/${id}`, undefined, "The fault is off.")}>
          Remove <span class="unseen">{describe(fault)}</span>
        </button>
      </td>
    </tr>
  );
}
