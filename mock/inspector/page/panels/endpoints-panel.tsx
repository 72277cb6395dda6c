import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { WebhookEndpoint } from "../../../state/records.ts";
import type { Data } from "../data.ts";
import { Badge } from "../elements/badge.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { pluralize } from "../elements/format.ts";
import { PropertyList } from "../elements/property-list.tsx";
import { EmitForm } from "./emit-form.tsx";
import type { PanelProps } from "./panel-props.ts";

/** The webhook endpoints, and a form that sends them an event. */
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
      A client makes one through the API; this command does it without a client.
    </EmptyState>
  );
}

interface EndpointProps extends PanelProps {
  readonly endpoint: WebhookEndpoint;
}

function EndpointCard({ endpoint, data, session }: EndpointProps): VNode {
  const { id, url, name, enabled, format, organization_id, events, uses_standard_webhook_signature } = endpoint;
  const turn = () =>
    session.act(
      "PATCH",
      `/webhook-endpoints/${encodeURIComponent(id)}`,
      { enabled: !enabled },
      `The endpoint is ${enabled ? "disabled" : "enabled"}.`,
    );
  const title = name ?? url;
  return (
    <section class="card" aria-label={title}>
      <div class="card-bar">
        <h2>{title}</h2>
        <Badge tone={enabled ? "good" : "bad"}>{enabled ? "enabled" : "disabled"}</Badge>
        <span class="space" />
        <button type="button" onClick={turn}>
          {enabled ? "Disable" : "Enable"} <span class="unseen">{title}</span>
        </button>
      </div>
      <PropertyList
        facts={[
          ["Address", <code key="url">{url}</code>],
          ["Version", <VersionOf key="version" endpoint={endpoint} data={data} />],
          ["Format", format],
          ["Signature", uses_standard_webhook_signature ? "Standard Webhooks" : "Original"],
          ["Secret", <Secret key="secret" secret={endpoint.secret} />],
          ["Organization", data.organizations.find((organization) => organization.id === organization_id)?.name],
          ["Id", <code key="id">{id}</code>],
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

function VersionOf({ endpoint: { api_version }, data }: Pick<EndpointProps, "endpoint" | "data">): VNode {
  return (
    <>
      <code>{api_version}</code> <span class="muted">{stateOf(api_version, data)}</span>
    </>
  );
}

function stateOf(version: string, { offer }: Data): string {
  return offer.versions.find((offered) => offered.version === version)?.state ?? "removed";
}

/** A secret is shown when it is asked for, not to whoever looks over a shoulder. */
function Secret({ secret }: { readonly secret: string }): VNode {
  const [shown, setShown] = useState(false);
  return (
    <span class="secret">
      <code>{shown ? secret : "••••••••••••"}</code>
      <button type="button" class="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? "Hide" : "Show"} <span class="unseen">secret</span>
      </button>
      <CopyButton text={secret} label="Copy" about="secret" />
    </span>
  );
}
