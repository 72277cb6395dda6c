import type { Operation } from "../../src/contract/index.ts";
import type { BillingError } from "../../src/errors/billing-error.ts";
import type { Mismatch } from "../../src/errors/index.ts";
import type { Check, Needs } from "../check.ts";
import { NotObservable } from "../outcome.ts";
import type { Fields } from "../repair.ts";
import type { Service } from "../service.ts";
import { fieldsOf } from "../service-response.ts";
import { versions } from "../versions.ts";

type Client = ReturnType<(typeof versions)[1]["createClient"]>;
type Failure = BillingError & { readonly status?: number; readonly mismatches?: readonly Mismatch[] };

/** A call that the client returns, of any operation. */
interface AnyCall {
  safe(): Promise<{ readonly error?: Failure | undefined }>;
}

/** What a call may contain: the body that the service accepts, the id of the run's endpoint, and a name for one. */
type Given = { readonly fields: Fields; readonly id: string; readonly name: string };

/** Calls each operation as a user of the client does. */
const CALLS: Readonly<Record<string, (client: Client, given: Given) => AnyCall>> = {
  "webhooks:get_webhook_endpoint": ({ webhooks }, { id }) => webhooks.getEndpoint(id),
  "webhooks:create_webhook_endpoint": ({ webhooks }, { fields, name }) =>
    webhooks.createEndpoint({ ...fields, name } as never),
  "webhooks:update_webhook_endpoint": ({ webhooks }, { id, name }) => webhooks.updateEndpoint(id, { name }),
  "events:ingest": ({ events }, { fields }) => events.ingest([fields as never]),
  "oauth2:authorize": ({ oauth2 }) => oauth2.authorize(),
  "products:list": ({ products }) => products.list(),
};

/** Returns what the calls of operations that write a kind of record need. */
async function given(service: Service, writes: Needs["writes"]): Promise<Given> {
  const name = service.newName();
  if (writes === "events") return { fields: (await service.acceptedEvent()).fields, id: "", name };
  if (writes !== "endpoints") return { fields: {}, id: "", name };
  return { fields: (await service.acceptedEndpoint()).fields, id: (await service.endpoint()).id, name };
}

async function call(service: Service, { id, method, path }: Operation, writes: Needs["writes"]): Promise<void> {
  const run = CALLS[id];
  const { version } = service;
  if (!service.contract.operations.some((each) => each.id === id))
    throw new NotObservable(`${version} does not have it`);
  if (!run) throw new NotObservable(`the check has no arguments for ${id}`);
  const line = `${method} ${path}`;
  const client = clientOf(service, String(await service.tokenFor(line)));
  const { error } = await run(client, await given(service, writes)).safe();
  if (!error) return;
  const { status = "", mismatches } = error;
  if (!mismatches && error.name !== "VersionMismatchError") throw new NotObservable(`${error.name} ${status}`.trim());
  const places = mismatches?.slice(0, 3).map(({ path: at, message }) => `${at}: ${message}`);
  throw service.deviation(line, `a response that fits the models of ${version}`, places?.join("; ") ?? error.name);
}

/** Returns a client of the version whose requests the requester sends. */
function clientOf({ requester, createClient }: Service, accessToken: string): Client {
  const { baseUrl, timeout } = requester.settings;
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, method, headers } = request;
    const body = method === "GET" ? {} : { body: await request.text() };
    const response = await requester.fetch(url, { method, headers, ...body });
    const { id } = fieldsOf(response.body);
    if (requester.endpoints.has(String(id))) await requester.disable(String(id));
    return new Response(response.status === 204 ? null : response.text, response);
  };
  // The requester has the timeout: the client must not give up before the requester knows whether there is a response.
  const strict = { onResponseMismatch: "throw", onVersionMismatch: "throw", maxRetries: 0, logLevel: "off" } as const;
  return createClient({ accessToken, baseUrl, fetch: send, timeout: 2 * timeout, ...strict }) as never;
}

const operations = new Map(versions.flatMap(({ contract }) => contract.operations).map((each) => [each.id, each]));

/** Section 9.5: each operation, called once through the client of each version. */
export const clientChecks: readonly Check[] = [...operations.values()].map((operation) => {
  const { id, path } = operation;
  const resource = { "/v1/webhooks": "endpoints", "/v1/events/i": "events" } as const;
  const writes = resource[path.slice(0, 12) as keyof typeof resource];
  const run = (service: Service) => call(service, operation, writes);
  return { kind: "operation", id, title: "called through the client", ...(writes && { writes }), run };
});
