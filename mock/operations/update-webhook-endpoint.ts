import { omitUndefined } from "../options/shape.ts";
import { formatTimestamp } from "../state/clock.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import { addEmptyProblem, fieldsOf } from "../validation/problems.ts";
import type { OperationHandler } from "./operation-handler.ts";
import {
  addFieldProblems,
  type EndpointFields,
  findEndpoint,
  shownEndpoint,
  unsupportedVersion,
} from "./webhook-endpoint-fields.ts";

/** PATCH /v1/webhooks/endpoints/{id} (specification, section 9.4; G-WHE-PATHS). */
export const updateWebhookEndpoint: OperationHandler = {
  isServed: ({ endpointWrites }) => endpointWrites === "served",

  validate: (body, context, problems) => {
    if (Object.keys(fieldsOf(body)).length === 0) addEmptyProblem(["body"], context.policy, problems);
    addFieldProblems(body, context, problems);
  },

  handle: (context) => {
    const found = findEndpoint(context);
    if ("status" in found) return found;
    const { url, name, format, events, enabled, api_version } = context.body as EndpointFields;
    const rejection = unsupportedVersion(api_version, context);
    if (rejection) return rejection;
    const endpoint = {
      ...found,
      ...omitUndefined({ url, name, format, events, enabled, api_version }),
      modified_at: formatTimestamp(context.receivedAt),
    } as StoredWebhookEndpoint;
    const commit = () => context.state.tables.webhookEndpoints.set(endpoint.id, endpoint);
    return { data: shownEndpoint(endpoint, context), commit };
  },
};
