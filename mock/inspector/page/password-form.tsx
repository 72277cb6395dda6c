import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Field, Form } from "./elements/form.tsx";
import type { Session } from "./session/session.ts";

interface PasswordFormProps {
  readonly session: Session;
  readonly isWrong: boolean;
}

/** Asks for the password of the control API. */
export function PasswordForm({ session, isWrong }: PasswordFormProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <main class="locked">
      <Form
        title="This mock server requires a password"
        action="Unlock"
        onSubmit={() => session.unlock(field.current?.value ?? "")}
      >
        <Field label="Control API password">
          <input
            ref={field}
            type="password"
            autocomplete="current-password"
            required
            aria-describedby="password-hint"
          />
        </Field>
        <p id="password-hint" class={isWrong ? "bad" : "muted"} role="alert">
          {isWrong ? "Wrong password. Try again." : "Stored until you close this browser tab."}
        </p>
      </Form>
    </main>
  );
}
