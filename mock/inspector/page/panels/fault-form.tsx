import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { FaultInput } from "../../../faults/fault.ts";
import { errorMessage } from "../session/session.ts";
import { FAULT_EFFECTS, type FaultEffect } from "./fault-effects.ts";
import type { PanelProps } from "./panel-props.ts";

/** A form that adds a fault. */
export function FaultForm({ data, session }: PanelProps): VNode {
  const [outcome, setOutcome] = useState<FaultEffect>("status");
  const [problem, setProblem] = useState("");
  const operations = [...new Set(data.offer.versions.flatMap(({ operations }) => operations.map(({ id }) => id)))];
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = inputOf(new FormData(event.currentTarget as HTMLFormElement), outcome);
    try {
      await session.call("POST", "/faults", input);
      setProblem("");
      session.say("The fault is on.");
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  return (
    <form class="card form" onSubmit={add} aria-label="Add a fault">
      <h2>Add a fault</h2>
      <label class="field">
        Requests
        <select name="operation">
          <option value="">all</option>
          {operations.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label class="field">
        What happens
        <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value as FaultEffect)}>
          {Object.entries(FAULT_EFFECTS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <div class="pairs">
        {outcome === "status" && <NumberField name="status" label="Status" value="503" required min={400} max={599} />}
        {outcome === "status" && <NumberField name="retryAfter" label="Retry-After, s" placeholder="none" />}
        <NumberField
          name="delay"
          label="Delay, ms"
          placeholder="none"
          required={outcome === "slow"}
          key={outcome === "slow" ? "slow" : "delay"}
        />
        <NumberField name="skip" label="Skip first" placeholder="0" />
        <NumberField name="times" label="Times" placeholder="no end" min={1} />
        <NumberField name="probability" label="Probability" placeholder="1" max={1} step="any" />
      </div>
      <button type="submit" class="primary">
        Add fault
      </button>
      <div role="alert">{problem !== "" && <p class="bad">{problem}</p>}</div>
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

/** What the form says, without the fields that were left empty. */
function inputOf(form: FormData, outcome: FaultEffect): FaultInput {
  const numbers = ["status", "retryAfter", "delay", "skip", "times", "probability"].flatMap((name) => {
    const text = form.get(name);
    return typeof text === "string" && text !== "" ? [[name, Number(text)]] : [];
  });
  const operation = form.get("operation");
  return {
    ...Object.fromEntries(numbers),
    ...(operation !== "" && { operation }),
    ...(outcome !== "status" && outcome !== "slow" && { kind: outcome }),
  };
}
