import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { PlaygroundProps } from "./app.tsx";
import { CodeBlock, Status } from "./parts.tsx";
import type { ReleaseRow } from "./session.ts";

/** The number of stored events that are shown, the newest first. */
const MAX_SHOWN = 50;

/** Shows the last announcement and the mock's state, and simulates releases. */
export function MockBar({ playground, status }: PlaygroundProps & { readonly status: string }): VNode {
  const { session, edit, announce, reset, content } = playground;
  const [rows, setRows] = useState<readonly ReleaseRow[]>([]);
  const release = async () => {
    try {
      setRows(await session.compareRelease(content));
      edit({ releases: String(Number(content.releases) + 1) });
      announce("The release was simulated.");
      document.getElementById("pg-release")?.showPopover();
    } catch (error) {
      announce(`The release failed. ${(error as Error).message}`);
    }
  };
  const { deprecated, current, next } = session.mock.versions;
  const events = session.mock.events.list().slice(-MAX_SHOWN).reverse();
  return (
    <div class="pg-mock">
      <p role="status">{status || "The mock runs in this page: nothing leaves your browser."}</p>
      <p class="pg-versions">
        Deprecated <code>{deprecated}</code> · Current <code>{current}</code> · Next <code>{next}</code>
      </p>
      <div class="pg-actions">
        <button type="button" popovertarget="pg-events">
          Stored events: {session.mock.events.size}
        </button>
        <button type="button" onClick={() => void release()}>
          Simulate the next release
        </button>
        <button type="button" onClick={reset}>
          Reset
        </button>
      </div>
      <Card id="pg-release" title="What the release changed">
        <ReleaseTable rows={rows} request={`${content.method} ${content.path}`} />
        <p class="pg-dim">Reset starts a new mock without the release.</p>
      </Card>
      <Card id="pg-events" title="Stored events">
        {events.length === 0 ? (
          <p>No events yet. Send events.ingest to store one.</p>
        ) : (
          <CodeBlock label="Stored events" text={JSON.stringify(events)} />
        )}
      </Card>
    </div>
  );
}

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Shows a card above the page until the reader closes it. */
function Card({ id, title, children }: CardProps): VNode {
  return (
    <div id={id} class="pg-card" popover="auto" role="dialog" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      <div class="pg-actions">
        <button type="button" popovertarget={id} popovertargetaction="hide" autofocus>
          Close
        </button>
      </div>
    </div>
  );
}

interface ReleaseTableProps {
  readonly rows: readonly ReleaseRow[];
  readonly request: string;
}

/** Shows what a release changes for a request, for each version. */
function ReleaseTable({ rows, request }: ReleaseTableProps): VNode {
  return (
    <table class="pg-table">
      <caption>
        Responses to <code>{request}</code>
      </caption>
      <thead>
        <tr>
          {["Service-Version", "State", "Before", "After"].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ version, states, statuses }) => (
          <tr key={version}>
            <th scope="row">{version === "" ? "none" : <code>{version}</code>}</th>
            <td>{version !== "" && states.join(" → ").replace("Unknown", "new")}</td>
            {statuses.map((each, index) => (
              <td key={index}>
                <Status status={each} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
