import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { OfferedVersion } from "../../routes.ts";
import type { Data } from "../data.ts";
import { Badge, type Tone } from "../elements/badge.tsx";
import { pluralize } from "../elements/format.ts";
import type { Session } from "../session/session.ts";
import type { PanelProps } from "./panel-props.ts";

const STATES: Readonly<Record<OfferedVersion["state"], { readonly tone: Tone; readonly means: string }>> = {
  deprecated: { tone: "warn", means: "Frozen. The next release removes it: requests for it are answered 404 then." },
  current: { tone: "good", means: "Frozen. It answers the requests that ask for no version." },
  next: { tone: "accent", means: "In development: it may change at any time, until it is released." },
};

/** The three supported versions, and the release that moves them on. */
export function VersionsPanel({ data, session }: PanelProps): VNode {
  return (
    <div class="flow">
      <div class="thirds">
        {data.offer.versions.map((offered) => (
          <VersionCard key={offered.version} offered={offered} data={data} />
        ))}
      </div>
      <Release data={data} session={session} />
    </div>
  );
}

function VersionCard({ offered, data }: { readonly offered: OfferedVersion; readonly data: Data }): VNode {
  const { version, state, operations, eventTypes } = offered;
  const bound = data.endpoints.filter(({ api_version }) => api_version === version).length;
  const answered = data.requests.filter(({ versionUsed }) => versionUsed === version).length;
  return (
    <section class="card" aria-label={`Version ${version}`}>
      <div class="card-bar">
        <h2 class="version-name">{version}</h2>
        <Badge tone={STATES[state].tone}>{state}</Badge>
      </div>
      <p class="version-means">{STATES[state].means}</p>
      <p class="muted tabular">
        {pluralize(answered, "request")} in the journal, {pluralize(bound, "endpoint")}
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

/** The button of a release, and what has to be confirmed before. */
function Release({ data: { offer }, session }: { readonly data: Data; readonly session: Session }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [removed, deprecated, current] = offer.versions.map(({ version }) => version);
  const release = () => {
    dialog.current?.close();
    void session.act("POST", "/release", undefined, `${current} is Current now.`);
  };
  return (
    <section class="card" aria-labelledby="release-title">
      <h2 id="release-title">The quarterly release</h2>
      <p class="muted">
        In the first week of January, April, July and October each version moves on by one state. Try here what that
        does to your programs.
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
            <code>{removed}</code> is removed: requests for it are answered 404.
          </li>
          <li>
            <code>{deprecated}</code> becomes Deprecated.
          </li>
          <li>
            <code>{current}</code> becomes Current: it answers requests that ask for no version.
          </li>
          <li>
            <code>{offer.upcoming}</code> appears as Next.
          </li>
        </ul>
        <p class="muted">Only a reset of the mock, or a snapshot of it, brings the versions back.</p>
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
