import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ConfirmButton } from "./elements/card.tsx";
import { Form } from "./elements/form.tsx";
import type { ConnectionStatus, Notice, PageProps, Session } from "./session/session.ts";

const LABELS: Readonly<Record<ConnectionStatus["state"], string>> = {
  connecting: "Connecting",
  live: "Live",
  disconnected: "Disconnected",
  locked: "Locked",
  rejected: "Rejected",
};

/** Shows the address of the server, its versions, the state of the connection, and a button that resets the mock. */
export function Header({ connection, data: { overview }, session }: PageProps): VNode {
  const warning = warningFor(connection);
  const reset = () => session.act((api) => api("POST /reset"), "The mock was reset.");
  return (
    <>
      <header class="header">
        <h1>Billing mock</h1>
        <code class="address">{location.origin}</code>
        <span class="spacer" />
        <span class="version-states">
          {overview?.versions.map(({ version, state }) => (
            <span key={state}>
              <span class={state === "current" ? "strong" : ""}>{version}</span> {state}
            </span>
          ))}
        </span>
        <span class={`connection connection-${connection.state}`}>{LABELS[connection.state]}</span>
        {overview && (
          <ConfirmButton label="Reset" onConfirm={reset}>
            <p class="steps">
              Restores the state that the mock started with, removes all faults, clears the journal, and sets the clock
              back. Tokens issued since then become invalid.
            </p>
          </ConfirmButton>
        )}
      </header>
      <div role="alert">{warning && <p class="banner">{warning}</p>}</div>
    </>
  );
}

/** Warns when the server cannot be reached or rejects the page's requests. */
function warningFor(connection: ConnectionStatus): string | undefined {
  if (connection.state === "rejected") return `The mock server rejected a request of this page: ${connection.detail}`;
  if (connection.state !== "disconnected") return undefined;
  return "Cannot reach the mock server. The page shows the last data it received and retries every second.";
}

/** Shows a notice for a moment (`shell.css`) and announces it to screen readers. */
export function NoticeToast({ notice }: { readonly notice: Notice | undefined }): VNode {
  return (
    <div role="status" class={`notice ${notice?.isError ? "notice-error" : ""}`}>
      {notice && <p key={notice.id}>{notice.text}</p>}
    </div>
  );
}

interface PasswordFormProps {
  readonly session: Session;
  readonly isWrong: boolean;
}

/** Asks for the password of the control API. */
export function PasswordForm({ session, isWrong }: PasswordFormProps): VNode {
  const main = useRef<HTMLElement>(null);
  useEffect(() => main.current?.querySelector("input")?.focus(), []);
  return (
    <main ref={main} class="locked">
      <Form
        title="This mock server requires a password"
        action="Unlock"
        fields={[
          {
            ...{ label: "Control API password", name: "password", type: "password" },
            ...{ autocomplete: "current-password", required: true },
          },
        ]}
        onSubmit={({ password = "" }) => session.unlock(password)}
      >
        <p class={isWrong ? "bad" : "muted"} role="alert">
          {isWrong ? "Wrong password. Try again." : "Stored until you close this browser tab."}
        </p>
      </Form>
    </main>
  );
}
