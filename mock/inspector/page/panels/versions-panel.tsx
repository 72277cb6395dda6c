import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { VersionDetails } from "../../../control/rows.ts";
import { Badge, type Tone } from "../elements/badge.tsx";
import { pluralize } from "../elements/format.ts";
import type { MockData } from "../session/mock-data.ts";
import type { Session } from "../session/session.ts";
import type { PanelProps } from "./panel-props.ts";

const STATES: Readonly<Record<VersionDetails["state"], { readonly tone: Tone; readonly description: string }>> = {
  deprecated: {
    tone: "warn",
    description: "Frozen. The next release removes it: requests that ask for it then get a 404.",
  },
  current: { tone: "good", description: "Frozen. Answers requests that do not ask for a version." },
  next: { tone: "accent", description: "In development. May change at any time until it is released." },
};

/** Shows the three supported versions, and a button that makes the quarterly release. */
export function VersionsPanel({ data, session }: PanelProps): VNode {
  return (
    <div class="flow">
      <div class="thirds">
        {data.versions.map((details) => (
          <VersionCard key={details.version} details={details} data={data} />
        ))}
      </div>
      <Release data={data} session={session} />
    </div>
  );
}

function VersionCard({ details, data }: { readonly details: VersionDetails; readonly data: MockData }): VNode {
  const { version, state, operations, eventTypes } = details;
  const endpoints = data.endpoints.filter(({ api_version }) => api_version === version).length;
  const answered = data.requests.filter(({ versionUsed }) => versionUsed === version).length;
  return (
    <section class="card" aria-label={`Version ${version}`}>
      <div class="card-bar">
        <h2 class="version-name">{version}</h2>
        <Badge tone={STATES[state].tone}>{state}</Badge>
      </div>
      <p class="version-description">{STATES[state].description}</p>
      <p class="muted tabular">
        {pluralize(answered, "request")} in the journal, {pluralize(endpoints, "endpoint")}
      </p>
      <details class="types">
        <summary>{pluralize(operations.length, "operation")}</summary>
        <ul>
          {operations.map(({ id, method, path, summary }) => (
            <li key={id} title={summary}>
              <code>{id}</code>
              <span class="muted break">
                {method} {path}
              </span>
            </li>
          ))}
        </ul>
      </details>
      <details class="types">
        <summary>{pluralize(eventTypes.length, "event type")}</summary>
        <ul>
          {eventTypes.map((type) => (
            <li key={type}>
              <code>{type}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** Makes a quarterly release after a confirmation. */
function Release({
  data: { versions, upcomingVersion },
  session,
}: {
  readonly data: MockData;
  readonly session: Session;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [removed, deprecated, current] = versions.map(({ version }) => version);
  const release = () => {
    dialog.current?.close();
    void session.act((api) => api("POST /release"), `${current} is now Current.`);
  };
  return (
    <section class="card" aria-labelledby="release-title">
      <h2 id="release-title">Quarterly release</h2>
      <p class="muted">
        In the first week of January, April, July and October, each version moves to its next state. Make a release here
        to test how your code reacts.
      </p>
      <p>
        <button type="button" onClick={() => dialog.current?.showModal()}>
          Release {current}…
        </button>
      </p>
      <dialog ref={dialog} aria-labelledby="confirm-title">
        <h2 id="confirm-title">Release {current}?</h2>
        <ul class="steps">
          <li>
            <code>{removed}</code> is removed: requests that ask for it get a 404.
          </li>
          <li>
            <code>{deprecated}</code> becomes Deprecated.
          </li>
          <li>
            <code>{current}</code> becomes Current: it answers requests that do not ask for a version.
          </li>
          <li>
            <code>{upcomingVersion}</code> is added as Next.
          </li>
        </ul>
        <p class="muted">To undo the release, reset the mock or restore a snapshot.</p>
        <div class="dialog-actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="button" class="primary" onClick={release}>
            Release {current}
          </button>
        </div>
      </dialog>
    </section>
  );
}
