import { organizationsOf } from "../engine/credentials.ts";
import type { Reply } from "../engine/exchange.ts";
import { insufficientScope, invalid, resourceNotFound } from "../engine/refusals.ts";
import { deepFreeze } from "../options/frozen.ts";
import { timestamp } from "../state/clock.ts";
import { endpointSecret } from "../state/endpoint-secret.ts";
import type { WebhookEndpoint } from "../state/records.ts";
import type { Behaviour, Call } from "./behaviour.ts";
import { ownerOf } from "./limits/owner.ts";
import { versionProblems } from "./limits/webhook-endpoints.ts";

type Changes = Partial<Pick<WebhookEndpoint, "url" | "name" | "format" | "events" | "enabled" | "api_version">>;
type Created = Changes & Pick<WebhookEndpoint, "url" | "format" | "events"> & { readonly organization_id?: string };

/** GET /v1/webhooks/endpoints/{id} (specification, section 4.1). */
export const getWebhookEndpoint: Behaviour = (call) => {
  const found = find(call);
  return "status" in found ? found : { data: found };
};

/** Creating an endpoint (specification, sections 2.1 and 9.4; G-WHE-PATHS). */
export const createWebhookEndpoint: Behaviour = (call) => {
  const body = call.body as Created;
  const { state, assumptions } = call;
  const refused = refuseVersion(body.api_version, call);
  if (refused) return refused;
  const endpoint: WebhookEndpoint = deepFreeze({
    created_at: timestamp(call.receivedAt),
    modified_at: null,
    id: state.identity.uuid(),
    url: body.url,
    name: body.name ?? null,
    api_version: body.api_version ?? state.versions.current,
    format: body.format,
    secret: endpointSecret(state.identity, true, assumptions),
    organization_id: ownerOf(body.organization_id, call) as string,
    events: body.events,
    enabled: true,
    uses_standard_webhook_signature: true,
  });
  state.tables.webhookEndpoints.set(endpoint.id, endpoint);
  return { data: endpoint };
};

/** Updating an endpoint (specification, section 9.4; G-WHE-PATHS). */
export const updateWebhookEndpoint: Behaviour = (call) => {
  const found = find(call);
  if ("status" in found) return found;
  const { url, name, format, events, enabled, api_version } = call.body as Changes;
  const refused = refuseVersion(api_version, call);
  if (refused) return refused;
  const changes = Object.entries({ url, name, format, events, enabled, api_version });
  const endpoint: WebhookEndpoint = deepFreeze({
    ...found,
    ...Object.fromEntries(changes.filter(([, value]) => value !== undefined)),
    modified_at: timestamp(call.receivedAt),
  });
  call.state.tables.webhookEndpoints.set(endpoint.id, endpoint);
  return { data: endpoint };
};

function find({ path, credential, state, assumptions }: Call): WebhookEndpoint | Reply {
  const endpoint = state.tables.webhookEndpoints.get((path["id"] as string).toLowerCase());
  if (!endpoint) return resourceNotFound(assumptions);
  if (organizationsOf(credential, state).includes(endpoint.organization_id)) return endpoint;
  if (assumptions.foreignEndpoint === "not-found") return resourceNotFound(assumptions);
  return insufficientScope(["webhooks:read", "webhooks:write"], assumptions);
}

/** Refuses an unsupported version where it is no 422, which the limits give beside all else that is wrong (G-WHE-VER). */
function refuseVersion(version: string | undefined, { state, assumptions }: Call): Reply | undefined {
  const problems = versionProblems(version, state);
  return problems.length > 0 ? invalid(problems, assumptions, assumptions.unsupportedApiVersionStatus) : undefined;
}
