import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { EmittedEvent } from "../../../webhooks/webhooks.ts";
import type { Data } from "../data.ts";
import { pluralize } from "../elements/format.ts";
import { errorMessage } from "../session/session.ts";
import { useTabState } from "../session/store.ts";
import type { PanelProps } from "./panel-props.ts";

const EXAMPLE = '{\n  "id": "1dbfc517-0bbf-4301-9ba8-555ca42b9737"\n}';

/** What came of the form: how many events were made, or why none was. */
type Outcome = { readonly made: number } | { readonly problem: string };

/** A form that emits a webhook. */
export function EmitForm({ data, session }: PanelProps): VNode {
  const types = [...new Set(data.offer.versions.flatMap(({ eventTypes }) => eventTypes))];
  const [type, setType] = useTabState("emit.type", types.includes("order.paid") ? "order.paid" : (types[0] ?? ""));
  const [organization, setOrganization] = useTabState("emit.organization", data.organizations[0]?.id ?? "");
  const [text, setText] = useTabState("emit.data", EXAMPLE);
  const [outcome, setOutcome] = useState<Outcome>();
  const emit = async (event: Event) => {
    event.preventDefault();
    setOutcome(
      await emitted(text, (parsed) => session.call("POST", "/webhooks/emit", { type, data: parsed, organization })),
    );
  };
  return (
    <form class="card form" onSubmit={emit} aria-label="Emit a webhook">
      <h2>Emit a webhook</h2>
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
        Data, as JSON
        <textarea
          rows={7}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="muted">It goes to every enabled endpoint of the organization that lists the type.</p>
      <button type="submit" class="primary">
        Emit
      </button>
      <div role="status">{outcome && <OutcomeText outcome={outcome} type={type} />}</div>
    </form>
  );
}

async function emitted(text: string, send: (data: unknown) => Promise<readonly EmittedEvent[]>): Promise<Outcome> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { problem: `The data is not JSON: ${(error as Error).message}` };
  }
  return send(data).then(
    ({ length }) => ({ made: length }),
    (error: unknown) => ({ problem: errorMessage(error) }),
  );
}

interface OrganizationProps {
  readonly data: Data;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Whose endpoints are meant; with one organization there is nothing to choose. */
function OrganizationField({ data: { organizations }, value, onChange }: OrganizationProps): VNode | null {
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
  if ("problem" in outcome) return <p class="bad">{outcome.problem}</p>;
  if (outcome.made === 0) return <p class="warn">No enabled endpoint lists {type}, so nothing was sent.</p>;
  return (
    <p>
      {pluralize(outcome.made, "event")} on the way. <a href="#deliveries">See the webhooks</a>
    </p>
  );
}
