import { versions } from "./generated/versions.ts";
import type { ConformanceToken } from "./options.ts";
import { NotObservable } from "./outcome.ts";
import { STRING } from "./pattern.ts";
import { type Problem, problemsOf, requireSuccess, type Service, summaryOf } from "./service.ts";
import { type Answer, ENDPOINTS, fieldsOf, type Session } from "./session.ts";

/** The body of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/** The id of no record of the service: a version 4 UUID. */
export const NOBODY = "00000000-0000-4000-8000-000000000000";

/** The request that ingests events (section 4.2). */
export const INGEST = "POST /v1/events/ingest";
/** The request of the authorization lookup (section 4.3). */
export const LOOKUP = "GET /v1/oauth2/authorize";
/** The request of the product listing (section 4.4). */
export const PRODUCTS = "GET /v1/products/";
/** The request that reads an endpoint, without its id (section 4.1). */
export const READ: string = `GET ${ENDPOINTS}`;
/** The request that reads an endpoint that does not exist. */
export const UNKNOWN: string = `${READ}/${NOBODY}`;
const CREATE = `POST ${ENDPOINTS}`;
const MAX_REPAIRS = 12;

/** Returns a UUID that begins with the run's digits. */
export function newId({ session: { run } }: Service): string {
  return run + crypto.randomUUID().slice(8);
}

/** Returns a version of the package other than the given one. */
export function otherVersion(version: unknown): string {
  return versions.map(({ contract }) => contract.version as string).find((each) => each !== version) ?? "";
}

/** A body that the service accepts, and the response to it. */
interface Accepted {
  readonly fields: Fields;
  readonly answer: Answer;
}

/** A successful response without the fields that every check of it needs. Only the rules about these fields name it. */
class Incomplete extends NotObservable {
  readonly answer: Answer;

  constructor(answer: Answer, missing: string) {
    super(`${summaryOf(answer)}, without ${missing}`);
    this.answer = answer;
  }
}

/** Returns an incomplete response. Throws any other error. */
export function incomplete(error: unknown): Incomplete {
  if (error instanceof Incomplete) return error;
  throw error;
}

/** Returns the token for events that have no token of their own. */
export function ingestToken(service: Service): ConformanceToken {
  const needs = { scope: "events:write" };
  return service.find({ kind: "oat", ...needs }) ?? service.token({ kind: "pat", ...needs });
}

/** An event that the service accepts from a token. Every use has the same `external_id`, so it is stored once. */
export function acceptedEvent(service: Service, { token }: ConformanceToken = ingestToken(service)): Promise<Accepted> {
  return service.once(`event ${token}`, async () => {
    const customer_id = service.settings.customerId ?? newId(service);
    const first = { name: `conformance ${service.session.run}`, customer_id, external_id: newId(service) };
    const send = (event: Fields) => service.send(INGEST, { token, json: { events: [event] } });
    const found = await repaired(service, token, send, first, 3);
    const { inserted, duplicates } = fieldsOf(found.answer.body);
    if ((inserted ?? duplicates) !== undefined) return found;
    throw new Incomplete(found.answer, "inserted and duplicates (ING-1)");
  });
}

/** Ingests the event that the service accepts, once with each of several changes. A field that is undefined is left out. */
export async function ingest(service: Service, ...changes: readonly Fields[]): Promise<Answer> {
  return ingestWith(service, ingestToken(service), ...changes);
}

/** Ingests the event that the service accepts from a token. */
export async function ingestWith(service: Service, token: ConformanceToken, ...changes: readonly Fields[]) {
  const { fields } = await acceptedEvent(service, token);
  const events = changes.map((each) => ({ ...fields, ...each }));
  return service.send(INGEST, { token: token.token, json: { events } });
}

/** Returns the ids of the organizations that a token has access to. */
export function organizationsOf(service: Service, token: string): Promise<readonly string[]> {
  return service.once(`organizations ${token}`, async () => {
    const { organizations } = fieldsOf((await service.send(LOOKUP, { token })).body);
    return Array.isArray(organizations) ? organizations.map((each) => String(fieldsOf(each)["id"])) : [];
  });
}

/** Returns the id of the organization for the records of a token. */
export async function ownOrganization(service: Service, token: string): Promise<string> {
  const named = service.settings.tokens.find((each) => each.token === token)?.organizationId;
  const found = named ?? (await organizationsOf(service, token))[0];
  if (found === undefined) throw new NotObservable("needs the organization of a token: give its organizationId");
  return found;
}

/** An endpoint that the run created. */
export interface Endpoint extends Fields {
  readonly id: string;
}

/** Returns an address that never receives anything (RFC 2606). */
export function unusedUrl({ session: { run } }: Service, scheme = "https"): string {
  return `${scheme}://conformance-${run}.invalid/`;
}

/** The response that created this version's endpoint, and its request. */
export function acceptedEndpoint(service: Service, token = endpointToken(service)): Promise<Accepted> {
  return service.once(`endpoint ${token}`, async () => {
    const first = { url: unusedUrl(service), format: "raw", events: [service.contract.webhookEventTypes[0]] };
    const found = await repaired(service, token, (fields) => create(service, fields, token), first, 1);
    if (STRING.fits(fieldsOf(found.answer.body)["id"])) return found;
    throw new Incomplete(found.answer, "an id (WHE-1, WHE-3)");
  });
}

/** Returns the endpoint of this version, which the run created. */
export async function endpoint(service: Service): Promise<Endpoint> {
  return (await acceptedEndpoint(service)).answer.body as Endpoint;
}

/** Reads the endpoint `endpointId`, or this version's endpoint, and returns the response. */
export async function readEndpoint(service: Service): Promise<Answer> {
  const { endpointId } = service.settings;
  const answer = await service.send(`${READ}/${endpointId ?? (await endpoint(service)).id}`);
  return endpointId === undefined ? answer : requireSuccess(answer, "the endpoint of `endpointId`: ");
}

/** Updates the endpoint of this version. */
export async function update(service: Service, json: Fields): Promise<Answer> {
  const { id } = await endpoint(service);
  return service.send(`PATCH ${ENDPOINTS}/${id}`, { json, token: endpointToken(service) });
}

function endpointToken(service: Service): string {
  return service.tokenFor(CREATE) as string;
}

/** Creates an endpoint. The run disables it at the end. */
export async function create(service: Service, fields: Fields, token = endpointToken(service)): Promise<Answer> {
  return service.send(CREATE, { token, json: { name: nameFor(service.session), ...fields } });
}

/** Returns a name for the next endpoint. */
export function nameFor({ run, endpoints, lost }: Session): string {
  return `conformance ${run} ${endpoints.size + lost.length + 1}`;
}

/** Disables one of the run's endpoints, even if the run has ended. Returns whether a response shows that it is disabled. */
export async function disable(session: Session, id: string): Promise<boolean> {
  const token = session.endpoints.get(id) ?? null;
  for (const [method, fields] of [["PATCH", { json: { enabled: false } }], ["GET"]] as const) {
    const sent = { token, cleanup: true, ...fields };
    const answer = await session.send(`${method} ${ENDPOINTS}/${id}`, sent).catch(() => undefined);
    if (answer && answer.status < 300 && fieldsOf(answer.body)["enabled"] === false) return true;
  }
  return false;
}

/** Sends a body until the service accepts it, and fills in or changes the fields that its 422 names, at a depth of `loc`. */
async function repaired(
  service: Service,
  token: string,
  send: (fields: Fields) => Promise<Answer>,
  first: Fields,
  depth: number,
): Promise<Accepted> {
  let fields = first;
  for (let attempt = 0; attempt < MAX_REPAIRS; attempt++) {
    const answer = await send(fields);
    if (answer.status < 300) return { fields, answer };
    const before = JSON.stringify(fields);
    for (const problem of problemsOf(answer)) {
      const field = String(problem.loc[depth]);
      const change =
        problem.type === "missing"
          ? { [field]: await valueFor(service, token, field) }
          : REPAIRS[field]?.(service, problem, String(fields[field]));
      fields = { ...fields, ...change };
    }
    if (JSON.stringify(fields) === before)
      throw new NotObservable(`no accepted ${answer.request.split(" ", 2).join(" ")}: ${summaryOf(answer)}`);
  }
  throw new NotObservable(`no request was accepted after ${MAX_REPAIRS} attempts`);
}

/** The changes of a field that was rejected. */
const REPAIRS: Readonly<Record<string, (service: Service, problem: Problem, value: string) => Fields>> = {
  customer_id: (service) => ({ customer_id: undefined, external_customer_id: newId(service) }),
  organization_id: () => ({ organization_id: undefined }),
  timestamp: () => ({ timestamp: "2020-01-01T00:00:00Z" }),
  name: (_, { ctx = {} }, name) => {
    const { min_length: least = 0, max_length: most = Math.max(least, name.length) } = ctx as Record<string, number>;
    return { name: name.padEnd(least, "x").slice(0, most) };
  },
  url: (service) => ({ url: unusedUrl(service, "http") }),
};

async function valueFor(service: Service, token: string, field: string): Promise<unknown> {
  if (field === "organization_id") return ownOrganization(service, token);
  if (field === "timestamp") return new Date(Date.now() - 300_000).toISOString();
  return field === "metadata" ? {} : newId(service);
}
