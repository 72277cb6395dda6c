import type { Assumptions } from "../assumptions/assumptions.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { forbidden, resourceNotFound } from "../http/error-replies.ts";
import type { Reply } from "../http/messages.ts";
import { omitUndefined } from "../options/options.ts";
import { endpointDefaults, urlProblem } from "../state/record-rules.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import type { Fields } from "../validation/body-schema.ts";
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

/** Puts a URL into the form of the URL standard (G-WHE-URL). */
function normalizeUrl(body: Fields, { endpointUrl }: Assumptions): void {
  const { url } = body;
  if (endpointUrl.stored === "normalized" && typeof url === "string") body["url"] = URL.parse(url)?.href ?? url;
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
  normalize: normalizeUrl,

  validate: (body, context, problems) => {
    addFieldProblems(body, context, problems);
    const problem = organizationProblem(fieldsOf(body)["organization_id"], context);
    if (problem) problems.add({ loc: ["body", "organization_id"], ...problem });
  },

  handle: (context, input) => {
    const endpoint = newEndpoint(input.body as NewEndpoint, context);
    return { data: endpoint, commit: () => context.state.tables.webhookEndpoints.set(endpoint.id, endpoint) };
  },
};

function newEndpoint(body: NewEndpoint, context: OperationContext): StoredWebhookEndpoint {
  const { state, assumptions } = context;
  const { url, format, events, name = null, api_version = state.versions.current } = body;
  return {
    ...endpointDefaults(state, assumptions),
    ...{ url, name, api_version, format, events },
    created_at: formatTimestamp(context.receivedAt),
    organization_id: ownerOf(body.organization_id, context) as string,
  };
}

/** PATCH /v1/webhooks/endpoints/{id} (specification, section 9.4; G-WHE-PATHS). */
export const updateWebhookEndpoint: OperationHandler = {
  normalize: normalizeUrl,

  validate: addFieldProblems,

  handle: (context, input) => {
    const found = findEndpoint(context);
    if ("status" in found) return found;
    const { url, name, format, events, enabled, api_version } = input.body as EndpointFields;
    const endpoint = {
      ...found,
      ...omitUndefined({ url, name, format, events, enabled, api_version }),
      modified_at: formatTimestamp(context.receivedAt),
    } as StoredWebhookEndpoint;
    const commit = () => context.state.tables.webhookEndpoints.set(endpoint.id, endpoint);
    return { data: shownEndpoint(endpoint, context), commit };
  },
};
