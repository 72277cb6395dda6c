import type { ComponentChildren, VNode } from "preact";

interface FieldProps {
  readonly label: string;
  /** What the label does not say. */
  readonly hint?: string;
  readonly children: ComponentChildren;
}

/** Shows an input or a select with its label. */
export function Field({ label, hint, children }: FieldProps): VNode {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: The control is among the children.
    <label class="playground-field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** Shows a select with its label. */
export function Select({ label, value, options, onChange }: SelectProps): VNode {
  return (
    <Field label={label}>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
