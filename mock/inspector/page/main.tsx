import { render, type VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { ControlPanel } from "./control.tsx";
import { CopyButton } from "./elements.tsx";
import { usePlace } from "./list-view.tsx";
import { followMock, type MockData, type PageState } from "./mock-data.ts";
import { RequestsPanel } from "./requests.tsx";
import { WebhooksPanel } from "./webhooks.tsx";

/** The tabs, by the part of the URL that opens them. */
const PANELS = { requests: RequestsPanel, webhooks: WebhooksPanel, control: ControlPanel };
type TabName = keyof typeof PANELS;
const TABS = Object.keys(PANELS) as readonly TabName[];

/** The whole page. */
function App({ data, problem }: PageState): VNode {
  const place = usePlace();
  const tab = TABS.find((name) => name === place.tab) ?? "requests";
  const Panel = PANELS[tab];
  useLayoutEffect(() => {
    document.title = `${titleOf(tab)} · Billing mock`;
  }, [tab]);
  return (
    <>
      <header>
        <div class="bar">
          <h1>Billing mock</h1>
          <nav aria-label="Inspector">
            {TABS.map((name) => (
              <a key={name} href={`#${name}`} aria-current={name === tab ? "page" : undefined}>
                {titleOf(name)}
              </a>
            ))}
          </nav>
          <span class="spacer" />
          {data && (
            <button type="button" popovertarget="about">
              Tokens
            </button>
          )}
        </div>
        {data && <About {...data} />}
        <div role="alert">{problem && <p class="cause bad">{problem}</p>}</div>
      </header>
      <main>
        {data && <Panel key={tab} place={{ ...place, tab }} data={data} />}
        {!data && !problem && <p class="empty muted">Loading…</p>}
      </main>
    </>
  );
}

function titleOf(tab: TabName): string {
  return tab.charAt(0).toUpperCase() + tab.slice(1);
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

const root = document.getElementById("app") as HTMLElement;
void followMock((state) => render(<App {...state} />, root));
