import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { FaultInput } from "../../../faults/fault.ts";
import { errorMessage } from "../session/session.ts";
import { FAULT_EFFECTS, type FaultEffect } from "./fault-effects.ts";
import type { PanelProps } from "./panel-props.ts";

/** Adds a fault from a form. */
export function FaultForm({ data, session }: PanelProps): VNode {
  const [effect, setEffect] = useState<FaultEffect>("status");
  const [error, setError] = useState("");
  const operations = [...new Set(data.versions.flatMap(({ operations }) => operations.map(({ id }) => id)))];
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = inputOf(new FormData(event.currentTarget as HTMLFormElement), effect);
    try {
      await session.api("POST /faults", { body: input });
      setError("");
      session.notify("Fault added.");
    } catch (failure) {
      setError(errorMessage(failure));
    }
  };
  return (
    <form class="card form" onSubmit={add} aria-label="Add a fault">
      <h2>Add a fault</h2>
      <label class="field">
        Operation
        <select name="operation">
          <option value="">all</option>
          {operations.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label class="field">
        Effect
        <select value={effect} onChange={({ currentTarget }) => setEffect(currentTarget.value as FaultEffect)}>
          {Object.entries(FAULT_EFFECTS).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <div class="pairs">
        {effect === "status" && <NumberField name="status" label="Status" value="503" required min={200} max={599} />}
        {effect === "status" && <NumberField name="retryAfter" label="Retry-After (s)" placeholder="none" />}
        <NumberField
          name="delay"
          label="Delay (ms)"
          placeholder="none"
          required={effect === "delay"}
          key={effect === "delay" ? "required" : "optional"}
        />
        <NumberField name="skip" label="Skip first" placeholder="0" />
        <NumberField name="times" label="Times" placeholder="unlimited" min={1} />
        <NumberField name="probability" label="Probability" placeholder="1" max={1} step="any" />
      </div>
      {effect === "status" && (
        <label class="field">
          Body
          <textarea name="body" rows={3} spellcheck={false} placeholder="JSON or text; empty by default" />
        </label>
      )}
      <button type="submit" class="primary">
        Add fault
      </button>
      <div role="alert">{error !== "" && <p class="bad">{error}</p>}</div>
    </form>
  );
}

interface NumberFieldProps {
  readonly name: keyof FaultInput;
  readonly label: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: string;
}

function NumberField({ label, value, min = 0, ...rest }: NumberFieldProps): VNode {
  return (
    <label class="field">
      {label}
      <input type="number" defaultValue={value} min={min} {...rest} />
    </label>
  );
}

/** Reads the form, without its empty fields. */
function inputOf(form: FormData, effect: FaultEffect): FaultInput {
  const numbers = ["status", "retryAfter", "delay", "skip", "times", "probability"].flatMap((name) => {
    const text = form.get(name);
    return typeof text === "string" && text !== "" ? [[name, Number(text)]] : [];
  });
  const operation = form.get("operation");
  const body = form.get("body");
  return {
    ...Object.fromEntries(numbers),
    ...(operation !== "" && { operation }),
    ...(typeof body === "string" && body !== "" && { body: jsonOrText(body) }),
    ...(effect !== "status" && effect !== "delay" && { kind: effect }),
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
