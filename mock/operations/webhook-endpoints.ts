import type { Assumptions } from "../assumptions/assumptions.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { forbidden, resourceNotFound } from "../http/error-replies.ts";
import type { Reply } from "../http/messages.ts";
import { omitUndefined } from "../options/field-types.ts";
import { endpointDefaults, urlProblem } from "../state/record-rules.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import { fieldsOf, lengthProblem, type ProblemList } from "../validation/problems.ts";
import {
  type OperationContext,
  type OperationHandler,
  organizationProblem,
  organizationsOf,
  ownerOf,
} from "./operation.ts";

/** The fields of an endpoint that a request can set. */
type EndpointFields = Partial<
  Pick<StoredWebhookEndpoint, "url" | "name" | "format" | "events" | "enabled" | "api_version">
>;

/** Returns the endpoint that the path names, or the response to an id that the credential has no access to. */
function findEndpoint(context: OperationContext): StoredWebhookEndpoint | Reply {
  const { match, credential, state, assumptions } = context;
  const endpoint = state.tables.webhookEndpoints.get((match.parameters["id"] as string).toLowerCase());
  if (!endpoint) return resourceNotFound();
  if (organizationsOf(credential, state).includes(endpoint.organization_id)) return endpoint;
  if (assumptions.foreignEndpoint === "not-found") return resourceNotFound();
  return forbidden("The credential has no access to the organization of the endpoint.");
}

/** Returns an endpoint with the event types that the version of the request has, so that its contract fits (G-WHE-TYPES). */
function shownEndpoint(endpoint: StoredWebhookEndpoint, { contract }: OperationContext): StoredWebhookEndpoint {
  return { ...endpoint, events: endpoint.events.filter((type) => contract.webhookEventTypes.includes(type)) };
}

/** Returns the URL as it was sent, or in the form of the URL standard (G-WHE-URL). */
function storedUrl(url: string, { endpointUrl }: Assumptions): string {
  return endpointUrl.stored === "normalized" ? new URL(url).href : url;
}

/** Reports the problems of the fields that creating and updating an endpoint have in common. */
function addFieldProblems(body: unknown, { assumptions, state }: OperationContext, problems: ProblemList): void {
  const { url, secret, api_version: version } = fieldsOf(body);
  const msg = typeof url === "string" ? urlProblem(url, assumptions) : undefined;
  // The URL, which may have credentials, is not repeated.
  if (msg !== undefined) problems.add({ loc: ["body", "url"], msg, type: "value_error" });
  const secretProblem = lengthProblem(secret, assumptions.minSecretLength, null);
  if (secretProblem) problems.add({ loc: ["body", "secret"], ...secretProblem });
  // Specification, section 9.4; G-WHE-VER.
  const { contracts } = state.versions;
  if (typeof version !== "string" || contracts.has(version)) return;
  const supported = `Only supported API versions are accepted: ${[...contracts.keys()].join(", ")}`;
  problems.add({ loc: ["body", "api_version"], msg: supported, type: "value_error", input: version });
}

/** GET /v1/webhooks/endpoints/{id} (specification, section 4.1). */
export const getWebhookEndpoint: OperationHandler = {
  handle: (context) => {
    const found = findEndpoint(context);
    return "status" in found ? found : { data: shownEndpoint(found, context) };
  },
};

type NewEndpoint = EndpointFields &
  Pick<StoredWebhookEndpoint, "url" | "format" | "events"> & { readonly organization_id?: string };

/** POST /v1/webhooks/endpoints (specification, sections 2.1 and 9.4; G-WHE-PATHS). */
export const createWebhookEndpoint: OperationHandler = {
  validate: (body, context, problems) => {
    addFieldProblems(body, context, problems);
    const problem = organizationProblem(fieldsOf(body)["organization_id"], context);
    if (problem) problems.add({ loc: ["body", "organization_id"], ...problem });
  },

  handle: (context, input) => {
    const { state, assumptions } = context;
    const { url, format, events, name = null, ...body } = input.body as NewEndpoint;
    const endpoint: StoredWebhookEndpoint = {
      ...endpointDefaults(state, assumptions),
      ...{ url: storedUrl(url, assumptions), name, format, events },
      api_version: body.api_version ?? state.versions.current,
      created_at: formatTimestamp(context.receivedAt),
      organization_id: ownerOf(body.organization_id, context) as string,
    };
    return { data: endpoint, commit: () => state.tables.webhookEndpoints.set(endpoint.id, endpoint) };
  },
};

/** PATCH /v1/webhooks/endpoints/{id} (specification, section 9.4; G-WHE-PATHS). */
export const updateWebhookEndpoint: OperationHandler = {
  validate: addFieldProblems,

  handle: (context, input) => {
    const found = findEndpoint(context);
    if ("status" in found) return found;
    const { url, name, format, events, enabled, api_version } = input.body as EndpointFields;
    const endpoint = {
      ...found,
      ...omitUndefined({ name, format, events, enabled, api_version }),
      ...(url !== undefined && { url: storedUrl(url, context.assumptions) }),
      modified_at: formatTimestamp(context.receivedAt),
    } as StoredWebhookEndpoint;
    const commit = () => context.state.tables.webhookEndpoints.set(endpoint.id, endpoint);
    return { data: shownEndpoint(endpoint, context), commit };
  },
};
