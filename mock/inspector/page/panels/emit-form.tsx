import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { EmittedEvent } from "../../../state/records.ts";
import { pluralize } from "../elements/format.ts";
import type { MockData } from "../session/mock-data.ts";
import { errorMessage } from "../session/session.ts";
import { useTabState } from "../session/use-tab-state.ts";
import type { PanelProps } from "./panel-props.ts";

const EXAMPLE = '{\n  "id": "1dbfc517-0bbf-4301-9ba8-555ca42b9737"\n}';

/** The number of emitted events, or the error. */
type Outcome = { readonly count: number } | { readonly error: string };

/** Emits a webhook event from a form. */
export function EmitForm({ data, session }: PanelProps): VNode {
  const types = [...new Set(data.versions.flatMap(({ eventTypes }) => eventTypes))];
  const [type, setType] = useTabState("emit.type", types.includes("order.paid") ? "order.paid" : (types[0] ?? ""));
  const [organization, setOrganization] = useTabState("emit.organization", data.organizations[0]?.id ?? "");
  const [text, setText] = useTabState("emit.data", EXAMPLE);
  const [outcome, setOutcome] = useState<Outcome>();
  const emit = async (event: Event) => {
    event.preventDefault();
    setOutcome(
      await emitJson(text, (parsed) =>
        session.api("POST /webhooks/emit", { body: { type, data: parsed, organization } }),
      ),
    );
  };
  return (
    <form class="card form" onSubmit={emit} aria-labelledby="emit-title">
      <h2 id="emit-title">Emit a webhook event</h2>
      <label class="field">
        Event type
        <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
          {types.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <OrganizationField data={data} value={organization} onChange={setOrganization} />
      <label class="field">
        MockData (JSON)
        <textarea
          rows={7}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="muted">Sent to every enabled endpoint of the organization that lists this event type.</p>
      <button type="submit" class="primary">
        Emit
      </button>
      <div role="status">{outcome && <OutcomeText outcome={outcome} type={type} />}</div>
    </form>
  );
}

async function emitJson(text: string, send: (data: unknown) => Promise<readonly EmittedEvent[]>): Promise<Outcome> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { error: `Data must be valid JSON: ${(error as Error).message}` };
  }
  return send(data).then(
    ({ length }) => ({ count: length }),
    (error: unknown) => ({ error: errorMessage(error) }),
  );
}

interface OrganizationFieldProps {
  readonly data: MockData;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Selects the organization whose endpoints receive the event. Hidden while there is only one. */
function OrganizationField({ data: { organizations }, value, onChange }: OrganizationFieldProps): VNode | null {
  if (organizations.length < 2) return null;
  return (
    <label class="field">
      Organization
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function OutcomeText({ outcome, type }: { readonly outcome: Outcome; readonly type: string }): VNode {
  if ("error" in outcome) return <p class="bad">{outcome.error}</p>;
  if (outcome.count === 0) return <p class="warn">No enabled endpoint lists {type}, so no event was emitted.</p>;
  return (
    <p>
      {pluralize(outcome.count, "event")} emitted. <a href="#webhooks">View webhooks</a>
    </p>
  );
}
