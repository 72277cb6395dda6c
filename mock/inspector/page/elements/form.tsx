import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent, VNode } from "preact";
import { useState } from "preact/hooks";
import { useTabState } from "../session/hooks.ts";
import type { MockData } from "../session/mock-data.ts";

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "defaultValue" | "placeholder" | "required" | "min" | "max" | "step" | "autocomplete"
>;

/** Props for a form field. Renders a select if `options` is set, a text area if `rows` is set, and an input otherwise. */
export interface FieldProps extends InputProps {
  readonly label: string;
  readonly name?: string;
  readonly type?: "number" | "password";
  /** The values of the select, each with a label if it differs from the value. */
  readonly options?: readonly (string | readonly [value: string, label: string])[];
  /** The initial value of the select. Defaults to the first option. */
  readonly selected?: string;
  /** The height of the text area, in lines. */
  readonly rows?: number;
  readonly onChange?: (value: string) => void;
}

/** Shows a field with its label. */
export function Field({ label, options, selected, rows, onChange, ...rest }: FieldProps): VNode {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: one of the three branches is the control
    <label class={`field ${rest.type === "number" ? "field-short" : ""}`}>
      {label}
      {options ? (
        <select name={rest.name} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
          {options.map((option) => {
            const [value, text] = typeof option === "string" ? [option, option] : option;
            return (
              <option key={value} value={value} selected={value === selected}>
                {text}
              </option>
            );
          })}
        </select>
      ) : rows === undefined ? (
        <input {...(rest as InputHTMLAttributes)} />
      ) : (
        <textarea name={rest.name} rows={rows} spellcheck={false} {...rest} />
      )}
    </label>
  );
}

/** Returns the field for an organization; false if there is only one. */
export function organizationField(organizations: MockData["organizations"]): FieldProps | false {
  const options = organizations.map(({ id, name }) => [id, name] as const);
  return options.length > 1 && { label: "Organization", name: "organization", options };
}

/** The texts of a submitted form that are not empty, trimmed unless they are passwords. */
export type Filled = Readonly<Record<string, string>>;

interface FormProps {
  readonly title: string;
  /** The label of the button. */
  readonly action: string;
  /** The fields; false leaves one out. */
  readonly fields: readonly (FieldProps | false)[];
  /** Until its promise settles, the form cannot be submitted again. */
  readonly onSubmit: (filled: Filled) => void | Promise<void>;
  /** What the last submission did. */
  readonly outcome?: ComponentChildren;
  /** A hint between the fields and the button. */
  readonly children?: ComponentChildren;
}

/** Shows a form in a box. It keeps its texts, other than passwords, until the user returns to the tab. */
export function Form({ title, action, fields, onSubmit, outcome, children }: FormProps): VNode {
  const [texts, setTexts] = useTabState<Filled>(`${title}: texts`, {});
  const [isBusy, setBusy] = useState(false);
  const keep = ({ target }: TargetedInputEvent<HTMLFormElement>) => {
    const { type, name, value } = target as unknown as HTMLInputElement;
    if (type !== "password") setTexts({ ...texts, [name]: value });
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    await onSubmit(filledIn(event.currentTarget as HTMLFormElement));
    setBusy(false);
  };
  return (
    <form class="card form" aria-label={title} onInput={keep} onSubmit={submit}>
      <h2>{title}</h2>
      {fields.map((field) => field && <Field key={field.label} {...field} {...initial(texts[field.name ?? ""])} />)}
      {children}
      <button type="submit" class="primary" aria-disabled={isBusy}>
        {action}
      </button>
      <div role="status">{outcome}</div>
    </form>
  );
}

/** The props of a field that starts with this text. */
function initial(text: string | undefined): Partial<FieldProps> {
  return text === undefined ? {} : { defaultValue: text, selected: text };
}

function filledIn(form: HTMLFormElement): Filled {
  const given = ([...form.elements] as HTMLInputElement[]).map(({ name, type, value }) => {
    return [name, type === "password" ? value : value.trim()] as const;
  });
  return Object.fromEntries(given.filter(([, text]) => text !== ""));
}
