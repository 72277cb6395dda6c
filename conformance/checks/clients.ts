import type { Operation } from "../../src/contract/index.ts";
import type { BillingError } from "../../src/errors/billing-error.ts";
import type { Mismatch } from "../../src/errors/index.ts";
import type { Check } from "../check.ts";
import { acceptedEndpoint, acceptedEvent, endpoint, nameFor } from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import type { Service } from "../service.ts";

type Client = ReturnType<(typeof versions)[1]["createClient"]>;
type Failure = BillingError & { readonly status?: number; readonly mismatches?: readonly Mismatch[] };

/** A call that the client returns, of any operation. */
interface AnyCall {
  safe(): Promise<{ readonly error?: Failure | undefined }>;
}

/** Calls each operation as a user of the client does. */
const CALLS: Readonly<Record<string, (client: Client, service: Service) => Promise<() => AnyCall>>> = {
  "webhooks:get_webhook_endpoint": async ({ webhooks }, service) => {
    const { id } = await endpoint(service);
    return () => webhooks.getEndpoint(id);
  },
  "webhooks:create_webhook_endpoint": async ({ webhooks }, service) => {
    const { fields } = await acceptedEndpoint(service);
    return () => webhooks.createEndpoint({ ...fields, name: nameFor(service.session) } as never);
  },
  "webhooks:update_webhook_endpoint": async ({ webhooks }, service) => {
    const { id } = await endpoint(service);
    return () => webhooks.updateEndpoint(id, { name: `conformance ${service.session.run}` });
  },
  "events:ingest": async ({ events }, service) => {
    const { fields } = await acceptedEvent(service);
    return () => events.ingest([fields as never]);
  },
  "oauth2:authorize":
    async ({ oauth2 }) =>
    () =>
      oauth2.authorize(),
  "products:list":
    async ({ products }) =>
    () =>
      products.list(),
};

async function call(service: Service, { id, method, path }: Operation): Promise<void> {
  const prepare = CALLS[id];
  const { version } = service;
  if (!service.contract.operations.some((each) => each.id === id))
    throw new NotObservable(`${version} does not have it`);
  if (!prepare) throw new NotObservable(`the check has no arguments for ${id}`);
  const line = `${method} ${path}`;
  const run = await prepare(clientOf(service, service.tokenFor(line) as string), service);
  const { error } = await run().safe();
  if (!error) return;
  const { status = "", mismatches } = error;
  if (!mismatches && error.name !== "VersionMismatchError") throw new NotObservable(`${error.name} ${status}`.trim());
  const places = mismatches?.slice(0, 3).map(({ path: at, message }) => `${at}: ${message}`);
  throw service.deviation(line, `a response that fits the models of ${version}`, places?.join("; ") ?? error.name);
}

/** Returns a client of the version whose requests the session sends. */
function clientOf({ session, version }: Service, accessToken: string): Client {
  const { baseUrl, timeout } = session.settings;
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, method, headers } = request;
    const body = method === "GET" ? {} : { body: await request.text() };
    const answer = await session.fetch(url, { method, headers, ...body });
    return new Response(answer.status === 204 ? null : answer.text, answer);
  };
  const module = versions.find(({ contract }) => contract.version === version);
  // The session has the timeout: the client must not give up before the session knows whether there is a response.
  const options = { accessToken, baseUrl, fetch: send, timeout: 2 * timeout, maxRetries: 0, logLevel: "off" as const };
  return module?.createClient(options) as unknown as Client;
}

const operations = new Map(versions.flatMap(({ contract }) => contract.operations).map((each) => [each.id, each]));

/** Section 9.5: each operation, called once through the client of each version. */
export const clientChecks: readonly Check[] = [...operations.values()].map((operation) => ({
  kind: "operation",
  id: operation.id,
  section: "9.5",
  title: "called through the client",
  ...(operation.path.startsWith("/v1/webhooks") && { writes: "endpoints" }),
  ...(operation.path === "/v1/events/ingest" && { writes: "events" }),
  run: (service) => call(service, operation),
}));
