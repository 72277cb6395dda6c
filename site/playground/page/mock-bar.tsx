import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { PlaygroundProps } from "./app.tsx";
import { CodeBlock, Status } from "./parts.tsx";
import type { ReleaseRow } from "./session.ts";

/** The number of stored events that are shown, the newest first. */
const MAX_SHOWN = 50;

/** Shows the last announcement and the mock's state, and makes releases. */
export function MockBar({ playground, status }: PlaygroundProps & { readonly status: string }): VNode {
  const { session, edit, announce, content } = playground;
  const [rows, setRows] = useState<readonly ReleaseRow[]>([]);
  const release = async () => {
    try {
      setRows(await session.release(content));
      announce(`The release was made. Current is now ${session.mock.versions.current}.`);
      document.getElementById("pg-release")?.showPopover();
    } catch (error) {
      announce(`The release was not made. ${(error as Error).message}`);
    }
  };
  const reset = () => {
    session.reset();
    edit({ version: session.mock.versions.current });
    announce("The mock is reset.");
  };
  const { deprecated, current, next } = session.mock.versions;
  return (
    <div class="pg-mock">
      <p role="status">{status || "The mock runs in this page: nothing leaves your browser."}</p>
      <p class="pg-versions">
        Deprecated <code>{deprecated}</code> · Current <code>{current}</code> · Next <code>{next}</code>
      </p>
      <button type="button" popovertarget="pg-events">
        Stored events: {session.mock.events.size}
      </button>
      <button type="button" onClick={() => void release()}>
        Make a release
      </button>
      <button type="button" onClick={reset}>
        Reset
      </button>
      <Card id="pg-release" title="What the release changed">
        <ReleaseTable rows={rows} playground={playground} />
        <p class="pg-dim">To start a new mock without the release, reset it or reload the page.</p>
      </Card>
      <Card id="pg-events" title="Stored events">
        {session.mock.events.size === 0 ? (
          <p>No events yet. Send events.ingest to store one.</p>
        ) : (
          <CodeBlock
            label="Stored events"
            text={JSON.stringify(session.mock.events.list().slice(-MAX_SHOWN).reverse())}
          />
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

/** Shows what a release changes for the request, for each version. */
function ReleaseTable({
  rows,
  playground: { content },
}: PlaygroundProps & { readonly rows: readonly ReleaseRow[] }): VNode {
  return (
    <table class="pg-table">
      <caption>
        Responses to{" "}
        <code>
          {content.method} {content.path}
        </code>
      </caption>
      <thead>
        <tr>
          <th scope="col">Service-Version</th>
          <th scope="col">State</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ version, states: [before, after], statuses }) => (
          <tr key={version}>
            <th scope="row">{version === "" ? "none" : <code>{version}</code>}</th>
            <td>
              {version === "" ? "" : before === after ? after : `${before === "Unknown" ? "new" : before} → ${after}`}
            </td>
            <td>
              <Status status={statuses[0]} />
            </td>
            <td>
              <Status status={statuses[1]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
