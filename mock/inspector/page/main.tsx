import { type ComponentType, render, type VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ControlPanel } from "./control.tsx";
import { CopyButton } from "./elements.tsx";
import { usePlace } from "./place.ts";
import { RequestsPanel } from "./requests.tsx";
import { type Connection, type MockData, type PageState, type PanelProps, Session } from "./session.ts";
import { WebhooksPanel } from "./webhooks.tsx";

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly Panel: ComponentType<PanelProps>;
}

const TABS: readonly Tab[] = [
  { id: "requests", title: "Requests", Panel: RequestsPanel },
  { id: "webhooks", title: "Webhooks", Panel: WebhooksPanel },
  { id: "control", title: "Control", Panel: ControlPanel },
];

type PageProps = PageState & { readonly session: Session };

/** The whole page. */
function App({ connection, data, session }: PageProps): VNode {
  const place = usePlace();
  const tab = TABS.find(({ id }) => id === place.tab) ?? (TABS[0] as Tab);
  useLayoutEffect(() => {
    document.title = `${tab.title} · Billing mock`;
  }, [tab]);
  return (
    <>
      <Header connection={connection} data={data} tab={tab} />
      <main>
        {connection.state === "locked" ? (
          <PasswordForm session={session} isWrong={connection.isWrong} />
        ) : data ? (
          <tab.Panel key={tab.id} place={{ ...place, tab: tab.id }} data={data} session={session} />
        ) : (
          <p class="empty muted">Loading…</p>
        )}
      </main>
    </>
  );
}

/** Shows the tabs, the state of the connection, the versions and the tokens of the mock. */
function Header({ connection, data, tab }: PageState & { readonly tab: Tab }): VNode {
  const warning = warningFor(connection);
  return (
    <header>
      <div class="bar">
        <h1>Billing mock</h1>
        <nav aria-label="Inspector">
          {TABS.map(({ id, title }) => (
            <a key={id} href={`#${id}`} aria-current={id === tab.id ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <span class="spacer" />
        <span class="connection muted">{connection.state}</span>
        {data && (
          <button type="button" popovertarget="about">
            Tokens
          </button>
        )}
      </div>
      {data && <About {...data} />}
      <div role="alert">{warning && <p class="cause bad">{warning}</p>}</div>
    </header>
  );
}

/** Shows what an app needs to call the mock: its address, the valid tokens, and the versions. */
function About({ tokens, versions }: MockData): VNode {
  return (
    <section id="about" popover="auto" aria-label="Tokens">
      <div class="bar">
        Base URL <code>{location.origin}</code>
        <CopyButton text={location.origin} about="base URL" />
      </div>
      <p class="muted">
        Versions {versions.deprecated} (Deprecated), {versions.current} (Current), {versions.next} (Next)
      </p>
      <ul>
        {tokens.map(({ token, type, scopes }) => (
          <li key={token}>
            <div class="bar">
              <code>{token}</code>
              <CopyButton text={token} about="token" />
            </div>
            <details class="muted">
              <summary>
                {type}, {scopes.length === 1 ? "1 scope" : `${scopes.length} scopes`}
              </summary>
              {scopes.join(" ")}
            </details>
          </li>
        ))}
      </ul>
      {tokens.length === 0 && <p>There are no valid tokens. Issue one on the Control page.</p>}
    </section>
  );
}

/** Warns when the server cannot be reached or rejects the page's requests. */
function warningFor(connection: Connection): string | undefined {
  if (connection.state === "rejected") return `The mock server rejected a request of this page: ${connection.detail}`;
  if (connection.state !== "disconnected") return undefined;
  return "Cannot reach the mock server. The page shows the last data it received and retries every second.";
}

/** Asks for the password of the control API. */
function PasswordForm({ session, isWrong }: { readonly session: Session; readonly isWrong: boolean }): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    session.unlock(field.current?.value ?? "");
  };
  return (
    <form class="locked" onSubmit={submit}>
      <label>
        Control API password
        <input ref={field} type="password" autocomplete="current-password" required />
      </label>
      <p class={isWrong ? "bad" : "muted"} role="alert">
        {isWrong ? "Wrong password. Try again." : "Stored until you close this browser tab."}
      </p>
      <button type="submit" class="primary">
        Unlock
      </button>
    </form>
  );
}

const root = document.getElementById("app") as HTMLElement;
const session: Session = new Session((state) => render(<App {...state} session={session} />, root));
void session.follow();
