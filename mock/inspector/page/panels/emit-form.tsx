import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Field, Form, Select } from "../elements/form.tsx";
import { pluralize } from "../elements/format.ts";
import { errorMessage, type PanelProps } from "../session/session.ts";
import { useTabState } from "../session/store.ts";

const EXAMPLE = '{\n  "id": "1dbfc517-0bbf-4301-9ba8-555ca42b9737"\n}';

/** Emits a webhook event from a form. */
export function EmitForm({ data: { overview, organizations }, session }: PanelProps): VNode {
  const types = [...new Set(overview.versions.flatMap(({ eventTypes }) => eventTypes))];
  const [type, setType] = useTabState("emit.type", types.includes("order.paid") ? "order.paid" : (types[0] ?? ""));
  const [organization, setOrganization] = useTabState("emit.organization", organizations[0]?.id ?? "");
  const [text, setText] = useTabState("emit.data", EXAMPLE);
  const [outcome, setOutcome] = useState<VNode>();
  const emit = async () => {
    try {
      const body = { type, data: parseData(text), organization };
      setOutcome(<Emitted type={type} count={(await session.api("POST /webhooks/emit", { body })).length} />);
    } catch (error) {
      setOutcome(<p class="bad">{errorMessage(error)}</p>);
    }
  };
  return (
    <Form title="Emit a webhook event" action="Emit" onSubmit={emit} outcome={outcome}>
      <Field label="Event type">
        <Select value={type} options={types} onChange={setType} />
      </Field>
      {organizations.length > 1 && (
        <Field label="Organization">
          <Select
            value={organization}
            options={organizations.map(({ id, name }) => [id, name])}
            onChange={setOrganization}
          />
        </Field>
      )}
      <Field label="Data (JSON)">
        <textarea
          rows={7}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <p class="muted">Sent to every enabled endpoint of the organization that lists this event type.</p>
    </Form>
  );
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Data must be valid JSON: ${(error as Error).message}`);
  }
}

function Emitted({ type, count }: { readonly type: string; readonly count: number }): VNode {
  if (count === 0) return <p class="warn">No enabled endpoint lists {type}, so no event was emitted.</p>;
  return (
    <p>
      {pluralize(count, "event")} emitted. <a href="#webhooks">View webhooks</a>
    </p>
  );
}
