import type { VNode } from "preact";
import type { Fault } from "../../../faults/fault.ts";
import { EmptyState } from "../elements/empty-state.tsx";
import { formatInteger, pluralize } from "../elements/format.ts";
import type { Session } from "../session/session.ts";
import { describeFault } from "./fault-effects.ts";
import { FaultForm } from "./fault-form.tsx";
import type { PanelProps } from "./panel-props.ts";

/** Shows the active faults, and a form that adds one. */
export function FaultsPanel({ data, session }: PanelProps): VNode {
  return (
    <div class="sides">
      {data.faults.length === 0 ? (
        <EmptyState title="No faults">
          The mock answers every request normally. Add a fault to make requests fail.
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
    <section class="card" aria-labelledby="faults-title">
      <div class="card-bar">
        <h2 id="faults-title">
          Active faults <span class="muted">first match applies</span>
        </h2>
        <span class="spacer" />
        <button type="button" onClick={() => session.act((api) => api("DELETE /faults"), "All faults removed.")}>
          Remove all
        </button>
      </div>
      <div class="overflow">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Effect</th>
              <th scope="col" class="number">
                Hits
              </th>
              <th scope="col" class="number optional">
                Remaining
              </th>
              <th scope="col">
                <span class="visually-hidden">Remove</span>
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
  const settings = [
    delay !== undefined && `delay ${formatInteger(delay)} ms`,
    retryAfter !== undefined && `Retry-After: ${retryAfter}`,
    skip > 0 && `skips the first ${pluralize(skip, "request")} (${formatInteger(skip - skipped)} left)`,
    probability !== undefined && `${Math.round(probability * 1000) / 10}% probability`,
  ].filter(Boolean);
  return (
    <tr>
      <td class="break">{operation ? <code>{operation}</code> : "all"}</td>
      <td>
        {describeFault(fault)}
        {settings.length > 0 && <span class="muted"> {settings.join(", ")}</span>}
      </td>
      <td class="number">{formatInteger(struck)}</td>
      <td class="number optional">
        {times === undefined ? <span class="muted">unlimited</span> : formatInteger(times - struck)}
      </td>
      <td class="number">
        <button
          type="button"
          onClick={() => session.act((api) => api("DELETE /faults/{id}", { id }), "Fault removed.")}
        >
          Remove <span class="visually-hidden">{describeFault(fault)}</span>
        </button>
      </td>
    </tr>
  );
}
