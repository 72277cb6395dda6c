import type { Contract } from "../../../src/contract/index.ts";
import { formatTimestamp } from "../clock.ts";
import { generateEndpointSecret } from "../endpoint-secret.ts";
import { urlProblem } from "../endpoint-url.ts";
import type { RecordPolicy } from "../record-policy.ts";
import type { StoredWebhookEndpoint } from "../records.ts";
import type { State } from "../state.ts";
import { requireFit } from "./fit.ts";
import { type KindOf, requireOrganization, requireUuid4, toRequirement } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const webhookEndpointKind: KindOf<StoredWebhookEndpoint> = (state, policy) => ({
  name: "webhook endpoint",
  fields: shapes.webhookEndpoints,
  uuids: ["id", "organization_id"],
  key: ({ id }) => id,
  make: (given) => {
    const standard = given.uses_standard_webhook_signature ?? true;
    return {
      created_at: formatTimestamp(state.clock.now()),
      modified_at: null,
      id: state.ids.uuid(),
      url: defaultUrl(policy),
      name: null,
      api_version: state.versions.current,
      format: "raw",
      secret: generateEndpointSecret(state.ids, standard, policy),
      organization_id: state.defaults.organization_id,
      events: [...current(state).webhookEventTypes],
      enabled: true,
      uses_standard_webhook_signature: standard,
      ...given,
    };
  },
  change: (record, changes) => ({ ...record, ...changes, modified_at: formatTimestamp(state.clock.now()) }),
  check: (endpoint) => {
    requireUuid4(endpoint.id, "webhook endpoint");
    requireUrl(endpoint.url, policy, state);
    requireOrganization(endpoint.organization_id, state, "webhook endpoint");
    requirePrefix(endpoint.secret, policy);
    const { contracts, removed } = state.versions;
    if (contracts.has(endpoint.api_version) || removed.has(endpoint.api_version)) return;
    const expected = [...contracts.keys(), ...removed.keys()].join(", ");
    const problem = `"${endpoint.api_version}" is not supported; expected one of: ${expected}`;
    throw new TypeError(`webhook endpoint: \`api_version\` ${problem}.`);
  },
  fit: (endpoint) => requireFit("webhook endpoint", endpoint, state),
});

function current({ versions }: State): Contract {
  return versions.contracts.get(versions.current) as Contract;
}

/** Throws unless a secret has its fixed prefix (specification, section 2.1). The message does not contain the secret. */
function requirePrefix(secret: string, { secretPrefix }: RecordPolicy): void {
  if (secret.startsWith(secretPrefix)) return;
  throw new TypeError(`webhook endpoint: \`secret\` must start with "${secretPrefix}".`);
}

/** Throws unless the service accepts the URL. */
function requireUrl(url: string, policy: RecordPolicy, { own }: State): void {
  const problem = urlProblem(url, policy, own);
  if (problem) throw new TypeError(`webhook endpoint: \`url\` ${toRequirement(problem)}.`);
}

/** Returns the default URL of an endpoint: on this machine if the service accepts such URLs. */
function defaultUrl(policy: RecordPolicy): string {
  const hosts = ["localhost:3000", "receiver.example"];
  const protocols = ["http:", ...policy.endpointUrl.protocols];
  const urls = hosts.flatMap((host) => protocols.map((protocol) => `${protocol}//${host}/webhooks`));
  return urls.find((url) => urlProblem(url, policy) === undefined) ?? (urls[0] as string);
}
