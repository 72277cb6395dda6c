import type { VNode } from "preact";
import type { StoredWebhookEndpoint } from "../../../state/records.ts";
import { Card, EmptyState } from "../elements/card.tsx";
import { CopyButton } from "../elements/code.tsx";
import { type Filled, Form, organizationField } from "../elements/form.tsx";
import { pluralize } from "../elements/format.ts";
import { Badge, CollapsedList, PropertyList } from "../elements/text.tsx";
import type { PanelProps } from "../session/session.ts";

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

type EndpointCardProps = PanelProps & { readonly endpoint: StoredWebhookEndpoint };

function EndpointCard({ endpoint, data: { organizations, overview }, session }: EndpointCardProps): VNode {
  const { id, url, name, enabled, format, organization_id, api_version } = endpoint;
  const toggle = () =>
    session.act(
      (api) => api("PATCH /webhook-endpoints/{id}", { id, body: { enabled: !enabled } }),
      `Endpoint ${enabled ? "disabled" : "enabled"}.`,
    );
  const title = name ?? url;
  const version = overview.versions.find((details) => details.version === api_version);
  return (
    <Card
      title={title}
      note={<Badge tone={enabled ? "good" : "bad"}>{enabled ? "enabled" : "disabled"}</Badge>}
      action={
        <button type="button" onClick={toggle}>
          {enabled ? "Disable" : "Enable"} <span class="visually-hidden">{title}</span>
        </button>
      }
    >
      <PropertyList
        properties={[
          ["URL", <code key="url">{url}</code>],
          [
            "Version",
            <span key="version">
              <code>{api_version}</code> <span class="muted">{version?.state ?? "removed"}</span>
            </span>,
          ],
          ["Format", format],
          ["Signature", endpoint.uses_standard_webhook_signature ? "Standard Webhooks" : "Original"],
          ["Secret", <Secret key="secret" secret={endpoint.secret} />],
          [
            "Organization",
            organizations.length > 1 && organizations.find((organization) => organization.id === organization_id)?.name,
          ],
          ["ID", <code key="id">{id}</code>],
        ]}
      />
      <CollapsedList noun="event type" items={endpoint.events.map((type) => ({ id: type }))} />
    </Card>
  );
}

/** Hides a secret until the user asks to see it. */
function Secret({ secret }: { readonly secret: string }): VNode {
  return (
    <details class="secret">
      <summary>Show or hide</summary>
      <code>{secret}</code> <CopyButton text={secret} label="Copy" about="secret" />
    </details>
  );
}

const EXAMPLE = '{\n  "id": "1dbfc517-0bbf-4301-9ba8-555ca42b9737"\n}';

/** Emits a webhook event from a form. */
function EmitForm({ data: { overview, organizations }, session }: PanelProps): VNode {
  const types = [...new Set(overview.versions.flatMap(({ eventTypes }) => eventTypes))];
  const emit = ({ type = "", organization, data = "" }: Filled) =>
    session.act(
      async (api) => api("POST /webhooks/emit", { body: { type, data: parseData(data), organization } }),
      ({ length }) =>
        length === 0
          ? `No enabled endpoint lists ${type}, so no event was emitted.`
          : `${pluralize(length, "event")} emitted.`,
    );
  return (
    <Form
      title="Emit a webhook event"
      action="Emit"
      fields={[
        { label: "Event type", name: "type", options: types, selected: "order.paid" },
        organizationField(organizations),
        { label: "Data (JSON)", name: "data", rows: 7, defaultValue: EXAMPLE },
      ]}
      onSubmit={emit}
    >
      <p class="muted">Sent to every enabled endpoint of the organization that lists this event type.</p>
    </Form>
  );
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Data must be valid JSON: ${(error as Error).message}`);
  }
}
