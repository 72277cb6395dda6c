import type { VNode } from "preact";
import type { VersionDetails } from "../../../control/routes.ts";
import { Card, ConfirmButton } from "../elements/card.tsx";
import { pluralize } from "../elements/format.ts";
import { Badge, CollapsedList, PropertyList, type Tone } from "../elements/text.tsx";
import type { MockData } from "../session/mock-data.ts";
import type { PanelProps } from "../session/session.ts";

const STATES: Readonly<Record<VersionDetails["state"], { readonly tone: Tone; readonly description: string }>> = {
  deprecated: {
    tone: "warn",
    description: "Frozen. The next release removes it: requests that ask for it then get a 404.",
  },
  current: { tone: "good", description: "Frozen. Answers requests that do not ask for a version." },
  next: { tone: "accent", description: "In development. May change at any time until it is released." },
};

/** Shows the three supported versions, and a button that simulates the quarterly release. */
export function VersionsPanel(props: PanelProps): VNode {
  return (
    <div class="flow">
      <div class="thirds">
        {props.data.overview.versions.map((details) => (
          <VersionCard key={details.version} details={details} data={props.data} />
        ))}
      </div>
      <Release {...props} />
      <Assumptions {...props} />
    </div>
  );
}

/** Shows the assumptions that differ from the defaults. */
function Assumptions({ data: { about } }: PanelProps): VNode {
  const changed = Object.entries(about.changed).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return (
    <Card title="Assumptions">
      {changed.length > 0 && <PropertyList properties={changed} />}
      <p class="muted">
        {changed.length > 0 ? "All others have" : "Where the specification leaves something open, the mock has"} the
        defaults. <code>PUT /__mock/assumptions</code> replaces them.
      </p>
    </Card>
  );
}

function VersionCard({ details, data }: { readonly details: VersionDetails; readonly data: MockData }): VNode {
  const { version, state, operations, eventTypes } = details;
  const endpoints = data.endpoints.filter(({ api_version }) => api_version === version).length;
  const answered = data.requests.filter(({ versionUsed }) => versionUsed === version).length;
  const listed = operations.map(({ id, method, path, summary }) => ({ id, note: `${method} ${path}`, title: summary }));
  return (
    <Card title={version} note={<Badge tone={STATES[state].tone}>{state}</Badge>}>
      <p class="version-description">{STATES[state].description}</p>
      <p class="muted tabular">
        {pluralize(answered, "request")} in the journal, {pluralize(endpoints, "endpoint")}
      </p>
      <CollapsedList noun="operation" items={listed} />
      <CollapsedList noun="event type" items={eventTypes.map((id) => ({ id }))} />
    </Card>
  );
}

/** Simulates a quarterly release after a confirmation. */
function Release({ data: { overview }, session }: PanelProps): VNode {
  const [removed, deprecated, current] = overview.versions.map(({ version }) => version);
  const release = () => session.act((api) => api("POST /release"), `${current} is now Current.`);
  return (
    <Card title="Quarterly release">
      <p class="muted">
        In the first week of January, April, July and October, each version moves to its next state. Simulate it here to
        test how your code reacts.
      </p>
      <div>
        <ConfirmButton label={`Release ${current}`} onConfirm={release}>
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
              <code>{overview.upcoming}</code> is added as Next.
            </li>
          </ul>
          <p class="muted">To undo the release, reset the mock or restore a snapshot.</p>
        </ConfirmButton>
      </div>
    </Card>
  );
}
