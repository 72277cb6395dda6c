import type { ComponentChildren, InputHTMLAttributes, VNode } from "preact";

interface FormProps {
  readonly title: string;
  /** The label of the button. */
  readonly action: string;
  readonly isBusy?: boolean;
  readonly onSubmit: (fields: FormData) => void;
  /** What the last submission did. */
  readonly outcome?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Shows a form in a box. */
export function Form({ title, action, isBusy = false, onSubmit, outcome, children }: FormProps): VNode {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit(new FormData(event.currentTarget as HTMLFormElement));
  };
  return (
    <form class="card form" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      {children}
      <button type="submit" class="primary" aria-disabled={isBusy}>
        {action}
      </button>
      <div role="status">{outcome}</div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Shows the label of an input above it. */
export function Field({ label, children }: FieldProps): VNode {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the children contain the control
    <label class="field">
      {label}
      {children}
    </label>
  );
}

interface SelectProps {
  readonly name?: string;
  readonly value?: string;
  /** The values, with a label for those that differ from it. */
  readonly options: readonly (string | readonly [value: string, label: string])[];
  readonly onChange?: (value: string) => void;
}

/** Selects one of several values. */
export function Select({ options, onChange, ...rest }: SelectProps): VNode {
  return (
    <select {...rest} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
      {options.map((option) => {
        const [value, label] = typeof option === "string" ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {label}
          </option>
        );
      })}
    </select>
  );
}

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "name" | "value" | "defaultValue" | "placeholder" | "required" | "min" | "max" | "step" | "onInput"
>;

interface TextFieldProps extends InputProps {
  readonly label: string;
}

/** Shows an input with its label. */
export function TextField({ label, ...rest }: TextFieldProps): VNode {
  return (
    <Field label={label}>
      <input {...rest} />
    </Field>
  );
}

/** Shows an input for a number of at least 0. */
export function NumberField({ label, ...rest }: TextFieldProps): VNode {
  return (
    <Field label={label}>
      <input type="number" min={0} {...rest} />
    </Field>
  );
}

/** Returns the fields of a form that are not empty. */
export function filledIn(form: FormData): Readonly<Record<string, string>> {
  const fields = [...form].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(fields.filter(([, text]) => text !== ""));
}
