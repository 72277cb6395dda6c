import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { StoredWebhookEndpoint } from "../../../state/records.ts";
import { Badge } from "../elements/badge.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { pluralize } from "../elements/format.ts";
import { PropertyList } from "../elements/property-list.tsx";
import type { MockData } from "../session/mock-data.ts";
import { EmitForm } from "./emit-form.tsx";
import type { PanelProps } from "./panel-props.ts";

/** Shows the webhook endpoints, and a form that emits an event to them. */
export function EndpointsPanel({ data, session }: PanelProps): VNode {
  return (
    <div class="sides">
      <div class="cards">
        {data.endpoints.length === 0 && <NoEndpoints />}
        {data.endpoints.map((endpoint) => (
          <EndpointCard key={endpoint.id} endpoint={endpoint} data={data} session={session} />
        ))}
      </div>
      <EmitForm data={data} session={session} />
    </div>
  );
}

function NoEndpoints(): VNode {
  const body = '{ "url": "http://localhost:3000/webhooks" }';
  const command = `curl -X POST ${location.origin}/__mock/webhook-endpoints -d '${body}'`;
  return (
    <EmptyState title="No webhook endpoints yet" command={command}>
      Create an endpoint through the API, or run this command.
    </EmptyState>
  );
}

interface EndpointCardProps extends PanelProps {
  readonly endpoint: StoredWebhookEndpoint;
}

function EndpointCard({ endpoint, data, session }: EndpointCardProps): VNode {
  const { id, url, name, enabled, format, organization_id, events, uses_standard_webhook_signature } = endpoint;
  const toggle = () =>
    session.act(
      (api) => api("PATCH /webhook-endpoints/{id}", { id, body: { enabled: !enabled } }),
      `Endpoint ${enabled ? "disabled" : "enabled"}.`,
    );
  const title = name ?? url;
  return (
    <section class="card" aria-label={title}>
      <div class="card-bar">
        <h2>{title}</h2>
        <Badge tone={enabled ? "good" : "bad"}>{enabled ? "enabled" : "disabled"}</Badge>
        <span class="spacer" />
        <button type="button" onClick={toggle}>
          {enabled ? "Disable" : "Enable"} <span class="visually-hidden">{title}</span>
        </button>
      </div>
      <PropertyList
        properties={[
          ["URL", <code key="url">{url}</code>],
          ["Version", <VersionOf key="version" endpoint={endpoint} data={data} />],
          ["Format", format],
          ["Signature", uses_standard_webhook_signature ? "Standard Webhooks" : "Original"],
          ["Secret", <Secret key="secret" secret={endpoint.secret} />],
          ["Organization", data.organizations.find((organization) => organization.id === organization_id)?.name],
          ["ID", <code key="id">{id}</code>],
        ]}
      />
      <details class="types">
        <summary>{pluralize(events.length, "event type")}</summary>
        <ul>
          {events.map((type) => (
            <li key={type}>
              <code>{type}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function VersionOf({ endpoint: { api_version }, data }: Pick<EndpointCardProps, "endpoint" | "data">): VNode {
  return (
    <>
      <code>{api_version}</code> <span class="muted">{stateOf(api_version, data)}</span>
    </>
  );
}

function stateOf(version: string, { versions }: MockData): string {
  return versions.find((details) => details.version === version)?.state ?? "removed";
}

/** Hides a secret until the user asks to see it. */
function Secret({ secret }: { readonly secret: string }): VNode {
  const [shown, setShown] = useState(false);
  return (
    <span class="secret">
      <code>{shown ? secret : "••••••••••••"}</code>
      <button type="button" class="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? "Hide" : "Show"} <span class="visually-hidden">secret</span>
      </button>
      <CopyButton text={secret} label="Copy" about="secret" />
    </span>
  );
}
