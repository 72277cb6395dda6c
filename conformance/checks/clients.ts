import type { Operation } from "../../src/contract/index.ts";
import type { BillingError } from "../../src/errors/billing-error.ts";
import type { Mismatch } from "../../src/errors/index.ts";
import type { Check } from "../check.ts";
import { parsed } from "../connection.ts";
import { acceptedEndpoint, endpoint, type Fields, journaled, nameFor, withEvent } from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import type { Service } from "../service.ts";

type Client = ReturnType<(typeof versions)[1]["createClient"]>;

/** A call that the client returns, of any operation. */
interface AnyCall {
  safe(): Promise<{
    readonly error?:
      | (BillingError & { readonly status?: number; readonly mismatches?: readonly Mismatch[] })
      | undefined;
  }>;
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
    const event = await withEvent(service, {});
    return () => events.ingest([event as never]);
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

/** Section 9.5: each operation, called once through the client of each version. */
export const clientChecks: readonly Check[] = [...new Set(versions.flatMap(({ contract }) => contract.operations))]
  .filter(({ id }, index, all) => all.findIndex((each) => each.id === id) === index)
  .map(({ id, method, path }) => ({
    kind: "operation",
    id,
    section: "9.5",
    requests: 2,
    ...(path.startsWith("/v1/webhooks") && { writes: "endpoints" }),
    ...(path === "/v1/events/ingest" && { writes: "events" }),
    run: (service) => call(service, { id, method, path }),
  }));

async function call(service: Service, { id, method, path }: Pick<Operation, "id" | "method" | "path">): Promise<void> {
  const prepare = CALLS[id];
  if (!service.contract.operations.some((each) => each.id === id))
    throw new NotObservable(`${service.version} does not have it`);
  if (!prepare) throw new NotObservable(`the check has no arguments for ${id}`);
  const line = `${method} ${path}`;
  const token = service.tokenFor(line) as string;
  const run = await prepare(clientOf(service, token), service);
  const { error } = await run().safe();
  const { status, mismatches } = error ?? {};
  if (!error) return;
  if (!mismatches && error.name !== "VersionMismatchError")
    throw new NotObservable(`${error.name}${status ? ` ${status}` : ""}`);
  const places = mismatches?.slice(0, 3).map(({ path: at, message }) => `${at}: ${message}`);
  throw service.deviation(
    line,
    `a response that fits the models of ${service.version}`,
    places?.join("; ") ?? error.name,
  );
}

function clientOf({ session, version }: Service, accessToken: string): Client {
  const { connection } = session;
  const { baseUrl, timeout } = connection.settings;
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, method, headers } = request;
    const body = method === "GET" ? "" : await request.text();
    const answer = async () => {
      const init = { method, headers, ...(body !== "" && { body }) };
      const read = await connection.fetch(url, init, { uninterrupted: method === "POST" });
      return { ...read, body: parsed(read.text) };
    };
    const isCreation = method === "POST" && url.includes("/webhooks/");
    const created = (parsed(body) ?? {}) as Fields;
    const {
      status,
      text,
      headers: received,
    } = isCreation ? await journaled(session, created, accessToken, answer) : await answer();
    return new Response(status === 204 ? null : text, { status, headers: received });
  };
  const module = versions.find(({ contract }) => contract.version === version);
  // The connection has the timeout: the client must not give up before the connection knows whether there is a response.
  const options = { accessToken, baseUrl, fetch: send, timeout: 2 * timeout, maxRetries: 0, logLevel: "off" as const };
  return module?.createClient(options) as unknown as Client;
}
