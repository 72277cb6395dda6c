import { insufficientScope, invalid, resourceNotFound } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import { SECRET_IN_URL, urlProblem } from "../state/endpoint-url.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { Problem, ProblemList } from "../validation/problems.ts";
import { fieldsOf } from "../validation/problems.ts";
import { organizationsOf } from "./organization-field.ts";
import type { OperationContext } from "./request-context.ts";

/** The fields of an endpoint that a request can set. */
export type EndpointFields = Partial<
  Pick<StoredWebhookEndpoint, "url" | "name" | "format" | "events" | "enabled" | "api_version">
>;

/** Returns the endpoint that the path names, or the response to an id that the credential has no access to. */
export function findEndpoint(context: OperationContext): StoredWebhookEndpoint | Reply {
  const { pathParameters, credential, state, policy } = context;
  const endpoint = state.tables.webhookEndpoints.get((pathParameters["id"] as string).toLowerCase());
  if (!endpoint) return resourceNotFound(policy);
  if (organizationsOf(credential, state).includes(endpoint.organization_id)) return endpoint;
  if (policy.foreignEndpoint === "not-found") return resourceNotFound(policy);
  return insufficientScope(["webhooks:read", "webhooks:write"], policy);
}

/** Returns an endpoint with the event types that the version of the request has, so that its contract fits (G-WHE-TYPES). */
export function shownEndpoint(endpoint: StoredWebhookEndpoint, { contract }: OperationContext): StoredWebhookEndpoint {
  const { webhookEventTypes } = contract;
  const isKnown = (type: string): boolean => webhookEventTypes.includes(type);
  return endpoint.events.every(isKnown) ? endpoint : { ...endpoint, events: endpoint.events.filter(isKnown) };
}

/** Reports the problems of the fields that creating and updating an endpoint have in common. */
export function addFieldProblems(body: unknown, { policy, state }: OperationContext, problems: ProblemList): void {
  const { url, api_version: version } = fieldsOf(body);
  const msg = typeof url === "string" ? urlProblem(url, policy, state.own) : undefined;
  if (msg !== undefined) {
    const problem = { loc: ["body", "url"], msg, type: "value_error" };
    problems.add(msg === SECRET_IN_URL ? problem : { ...problem, input: url });
  }
  if ((policy.unsupportedApiVersionStatus ?? 422) === 422) problems.addAll(versionProblems(version, state));
}

/** Returns the response to an unsupported version, when its status is not the 422 that lists all problems (G-WHE-VER). */
export function unsupportedVersion(
  version: string | undefined,
  { state, policy }: OperationContext,
): Reply | undefined {
  const problems = versionProblems(version, state);
  return problems.length > 0 ? invalid(problems, policy, policy.unsupportedApiVersionStatus) : undefined;
}

/** Reports an unsupported version (specification, section 9.4; G-WHE-VER). */
function versionProblems(version: unknown, { versions: { contracts } }: State): Problem[] {
  if (typeof version !== "string" || contracts.has(version)) return [];
  const msg = `Only supported API versions are accepted: ${[...contracts.keys()].join(", ")}`;
  return [{ loc: ["body", "api_version"], msg, type: "value_error", input: version }];
}
