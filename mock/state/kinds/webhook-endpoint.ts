import type { Contract } from "../../../src/contract/index.ts";
import type { Assumptions } from "../../assumptions.ts";
import { urlProblem } from "../../service/endpoint-url.ts";
import { problemsOf } from "../../service/problems.ts";
import { timestamp } from "../clock.ts";
import { endpointSecret } from "../make.ts";
import type { WebhookEndpoint } from "../records.ts";
import type { State } from "../state.ts";
import { type KindOf, requireOrganization } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const webhookEndpointKind: KindOf<WebhookEndpoint> = (state, assumptions) => ({
  name: "webhook endpoint",
  fields: shapes.webhookEndpoints,
  key: ({ id }) => id,
  make: (given) => {
    const standard = given.uses_standard_webhook_signature ?? true;
    return {
      created_at: timestamp(state.clock()),
      modified_at: null,
      id: state.identity.uuid(),
      url: "http://localhost:3000/webhooks",
      name: null,
      api_version: state.versions.current,
      format: "raw",
      secret: endpointSecret(state.identity, standard, assumptions),
      organization_id: state.defaults.organization_id,
      events: [...current(state).webhookEventTypes],
      enabled: true,
      uses_standard_webhook_signature: standard,
      ...given,
    };
  },
  change: (record, changes) => ({ ...record, ...changes, modified_at: timestamp(state.clock()) }),
  check: (endpoint) => {
    requireFit(endpoint, state, assumptions);
    requireOrganization(endpoint.organization_id, state, "webhook endpoint");
    requirePrefix(endpoint.secret, assumptions);
    const { contracts, removed } = state.versions;
    if (contracts.has(endpoint.api_version) || removed.has(endpoint.api_version)) return;
    throw new TypeError(`webhook endpoint: "${endpoint.api_version}" is no supported version.`);
  },
});

function current({ versions }: State): Contract {
  return versions.contracts.get(versions.current) as Contract;
}

/** A secret has a fixed prefix (specification, section 2.1); the message holds nothing of the secret. */
function requirePrefix(secret: string, { secretPrefix }: Assumptions): void {
  if (secret.startsWith(secretPrefix)) return;
  throw new TypeError(`webhook endpoint: secret must begin with "${secretPrefix}".`);
}

/** Refuses what the service could not hold, in its own words. */
function requireFit(endpoint: WebhookEndpoint, state: State, assumptions: Assumptions): void {
  const operation = current(state).operations.find(({ id }) => id === "webhooks:get_webhook_endpoint");
  const checked = operation?.response.body.safeParse(endpoint);
  const [first] = !checked || checked.success ? [] : problemsOf(checked.error.issues, endpoint, "");
  if (first) throw new TypeError(`webhook endpoint: ${first.loc.slice(1).join(".")}: ${first.msg}.`);
  const problem = urlProblem(endpoint.url, assumptions);
  if (problem) throw new TypeError(`webhook endpoint: url: ${problem}.`);
}
