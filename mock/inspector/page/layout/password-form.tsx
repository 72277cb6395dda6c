import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../session/session.ts";

interface PasswordFormProps {
  readonly session: Session;
  readonly wrong: boolean;
}

/** Asks for the password of the control API. */
export function PasswordForm({ session, wrong }: PasswordFormProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const password = field.current?.value ?? "";
    if (password !== "") session.unlock(password);
  };
  return (
    <main class="locked">
      <form class="card form" onSubmit={submit}>
        <h2>This mock server requires a password</h2>
        <label class="field">
          Control API password
          <input
            ref={field}
            type="password"
            autocomplete="current-password"
            required
            aria-describedby="password-hint"
          />
        </label>
        <p id="password-hint" class={wrong ? "bad" : "muted"} role="alert">
          {wrong ? "Wrong password. Try again." : "Stored until you close this browser tab."}
        </p>
        <button type="submit" class="primary">
          Unlock
        </button>
      </form>
    </main>
  );
}
