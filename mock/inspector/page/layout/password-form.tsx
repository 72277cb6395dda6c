import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../session/session.ts";

interface PasswordFormProps {
  readonly session: Session;
  readonly wrong: boolean;
}

/** Asks for the password of the control interface. */
export function PasswordForm({ session, wrong }: PasswordFormProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const enter = (event: Event) => {
    event.preventDefault();
    const password = field.current?.value ?? "";
    if (password !== "") session.enter(password);
  };
  return (
    <main class="gate">
      <form class="card form" onSubmit={enter}>
        <h2>This mock has a password</h2>
        <label class="field">
          Password of the control interface
          <input
            ref={field}
            type="password"
            autocomplete="current-password"
            required
            aria-describedby="password-hint"
          />
        </label>
        <p id="password-hint" class={wrong ? "bad" : "muted"} role="alert">
          {wrong ? "That is not the password." : "It is kept until you close this browser tab."}
        </p>
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </main>
  );
}
