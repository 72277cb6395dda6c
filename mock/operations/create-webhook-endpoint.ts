import { formatTimestamp } from "../state/clock.ts";
import { generateEndpointSecret } from "../state/endpoint-secret.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import { fieldsOf } from "../validation/problems.ts";
import type { OperationHandler } from "./operation-handler.ts";
import { organizationProblem, ownerOf } from "./organization-field.ts";
import type { OperationContext } from "./request-context.ts";
import { addFieldProblems, type EndpointFields, unsupportedVersion } from "./webhook-endpoint-fields.ts";

type NewEndpoint = EndpointFields &
  Pick<StoredWebhookEndpoint, "url" | "format" | "events"> & { readonly organization_id?: string };

/** POST /v1/webhooks/endpoints (specification, sections 2.1 and 9.4; G-WHE-PATHS). */
export const createWebhookEndpoint: OperationHandler = {
  isServed: ({ endpointWrites }) => endpointWrites === "served",

  validate: (body, context, problems) => {
    addFieldProblems(body, context, problems);
    const problem = organizationProblem(fieldsOf(body)["organization_id"], context);
    if (problem) problems.add({ loc: ["body", "organization_id"], ...problem });
  },

  handle: (context) => {
    const body = context.body as NewEndpoint;
    const rejection = unsupportedVersion(body.api_version, context);
    if (rejection) return rejection;
    const endpoint = newEndpoint(body, context);
    return { data: endpoint, commit: () => context.state.tables.webhookEndpoints.set(endpoint.id, endpoint) };
  },
};

function newEndpoint(body: NewEndpoint, context: OperationContext): StoredWebhookEndpoint {
  const { state, policy } = context;
  return {
    created_at: formatTimestamp(context.receivedAt),
    modified_at: null,
    id: state.ids.uuid(),
    url: body.url,
    name: body.name ?? null,
    api_version: body.api_version ?? state.versions.current,
    format: body.format,
    secret: generateEndpointSecret(state.ids, true, policy),
    organization_id: ownerOf(body.organization_id, context) as string,
    events: body.events,
    enabled: true,
    uses_standard_webhook_signature: true,
  };
}
