import { type Answer, NoAnswer } from "./connection.ts";
import type { ConformanceToken } from "./options.ts";
import { NotObservable } from "./outcome.ts";
import { mismatch } from "./pattern.ts";
import { type Problem, problemsOf, type Service, type Session, summaryOf } from "./service.ts";

/** The body of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a new UUID that begins with the run's digits. */
export function newId({ session: { run } }: Service): string {
  return run + crypto.randomUUID().slice(8);
}

/** The id of no record of the service: a version 4 UUID. */
export const NOBODY = "00000000-0000-4000-8000-000000000000";

/** The request that ingests events. */
export const INGEST = "POST /v1/events/ingest";
const CREATE = "POST /v1/webhooks/endpoints";
const MAX_REPAIRS = 12;

/** A body that the service accepts, and the fields that it asked for. */
interface Accepted {
  readonly fields: Fields;
  readonly missing: readonly string[];
  readonly answer: Answer;
}

/** An event that the service accepts from a token. Every use has the same `external_id`, so it is stored once. */
export function acceptedEvent(service: Service, { token }: ConformanceToken = ingestToken(service)): Promise<Accepted> {
  return service.once(`event ${token}`, async () => {
    const { session } = service;
    const customer_id = session.settings.customerId ?? newId(service);
    const first = { name: `conformance ${session.run}`, customer_id, external_id: newId(service) };
    const send = (event: Fields) => service.send(INGEST, { token, json: { events: [event] } });
    const found = await repaired(send, first, 3, (fields, problem) => repairEvent(service, token, fields, problem));
    const { inserted, duplicates } = (found.answer.body ?? {}) as Record<string, unknown>;
    if (inserted === undefined && duplicates === undefined)
      throw new Incomplete(found.answer, "inserted and duplicates (ING-1)");
    return found;
  });
}

/** A successful response without the fields that every check of it needs. Only the rules about these fields name it. */
export class Incomplete extends NotObservable {
  readonly answer: Answer;

  constructor(answer: Answer, missing: string) {
    super(`${summaryOf(answer)}, without ${missing}`);
    this.answer = answer;
  }
}

/** Returns the token for events that have no token of their own. */
export function ingestToken(service: Service): ConformanceToken {
  const needs = { scope: "events:write" };
  return service.find({ kind: "oat", ...needs }) ?? service.token({ kind: "pat", ...needs });
}

/** Sends the event that the service accepts, with other fields. A field that is undefined is left out. */
export async function ingest(service: Service, fields: Fields, token = ingestToken(service)): Promise<Answer> {
  return service.send(INGEST, { token: token.token, json: { events: [await withEvent(service, fields, token)] } });
}

/** Returns the event that the service accepts, with other fields. */
export async function withEvent(service: Service, fields: Fields, token = ingestToken(service)): Promise<Fields> {
  const { fields: accepted } = await acceptedEvent(service, token);
  return { ...accepted, ...fields };
}

async function repairEvent(
  service: Service,
  token: string,
  fields: Fields,
  { loc, type, ctx }: Problem,
): Promise<Fields> {
  const field = String(loc[3]);
  if (type === "missing") return { ...fields, [field]: await valueFor(service, token, field) };
  if (field === "customer_id") {
    const { customer_id: _, ...others } = fields;
    return { ...others, external_customer_id: newId(service) };
  }
  if (field === "organization_id") {
    const { organization_id: _, ...others } = fields;
    return others;
  }
  if (field === "timestamp") return { ...fields, timestamp: "2020-01-01T00:00:00Z" };
  if (field !== "name") return fields;
  const [least, most] = [
    Number(ctx?.["min_length"] ?? 0),
    Number(ctx?.["max_length"] ?? String(fields["name"]).length),
  ];
  return { ...fields, name: String(fields["name"]).padEnd(least, "x").slice(0, most) };
}

async function valueFor(service: Service, token: string, field: string): Promise<unknown> {
  if (field === "organization_id") return ownOrganization(service, token);
  if (field === "timestamp") return new Date(Date.now() - 300_000).toISOString();
  return field === "metadata" ? {} : newId(service);
}

/** Returns the ids of the organizations that a token has access to. */
export function organizationsOf(service: Service, token: string): Promise<readonly string[]> {
  return service.once(`organizations ${token}`, async () => {
    const { body } = await service.send("GET /v1/oauth2/authorize", { token });
    const { organizations = [] } = (body ?? {}) as { organizations?: readonly { id: string }[] };
    const ids = organizations.map(({ id }) => id);
    for (const id of ids) service.session.hidden.set(id, "<organization>");
    return ids;
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

/** Reads the endpoint `endpointId`, or this version's endpoint, and returns the response. */
export async function readEndpoint(service: Service): Promise<Answer> {
  const { endpointId = (await endpoint(service)).id } = service.settings;
  const answer = await service.send(`GET /v1/webhooks/endpoints/${endpointId}`);
  hideFields(service.session, answer.body);
  if (service.settings.endpointId === undefined || answer.status === 200) return answer;
  throw new NotObservable(`the endpoint of \`endpointId\`: ${summaryOf(answer)}`);
}

/** Returns the endpoint of this version, which the run created. */
export async function endpoint(service: Service): Promise<Endpoint> {
  const { answer } = await acceptedEndpoint(service);
  return answer.body as Endpoint;
}

/** The response that created this version's endpoint. */
export function acceptedEndpoint(service: Service, token = endpointToken(service)): Promise<Accepted> {
  return service.once(`endpoint ${token}`, async () => {
    const first = { url: unusedUrl(service), format: "raw", events: [service.contract.webhookEventTypes[0]] };
    const created = await repaired(
      (fields) => create(service, fields, token),
      first,
      1,
      async (fields, { loc, type }) => {
        if (loc[1] === "url") return { ...fields, url: unusedUrl(service, "http") };
        return type === "missing"
          ? { ...fields, [String(loc[1])]: await valueFor(service, token, String(loc[1])) }
          : fields;
      },
    );
    if (mismatch(created.answer.body, { id: String })) throw new Incomplete(created.answer, "an id (WHE-1, WHE-3)");
    return created;
  });
}

function endpointToken(service: Service): string {
  return service.tokenFor(CREATE) as string;
}

/** Creates an endpoint. The run disables it at the end. */
export async function create(service: Service, fields: Fields, token = endpointToken(service)): Promise<Answer> {
  const { session } = service;
  const json = { name: nameFor(session), ...fields };
  return journaled(session, json, token, () => service.send(CREATE, { token, json, uninterrupted: true }));
}

/** Returns a name for the next endpoint. */
export function nameFor({ run, endpoints, lost }: Session): string {
  return `conformance ${run} ${endpoints.size + lost.length + 1}`;
}

/**
 * Sends the creation of an endpoint, and remembers the endpoint, to disable it at the end. If the response does not show
 * whether there is one, its name is remembered, or its URL if it has no name.
 */
export async function journaled<Response extends Pick<Answer, "status" | "body">>(
  session: Session,
  { name, url }: Fields,
  token: string,
  send: () => Promise<Response>,
): Promise<Response> {
  const remember = () => void session.lost.push(String(name ?? url));
  let answer: Response;
  try {
    answer = await send();
  } catch (error) {
    if (error instanceof NoAnswer) remember();
    throw error;
  }
  const { status, body } = answer;
  const { id } = (body ?? {}) as Record<string, unknown>;
  if (status < 300 && typeof id === "string") session.endpoints.set(id, token);
  else if (status < 300 || status >= 500) remember();
  hideFields(session, body);
  return answer;
}

/** Minimum length of a string that is treated as a secret, in characters. */
const LEAST_SECRET = 16;

/** Hides an endpoint's secret and owner. */
function hideFields({ hidden }: Session, body: unknown): void {
  const { secret, organization_id: owner } = (body ?? {}) as Record<string, unknown>;
  if (typeof owner === "string" && owner !== "") hidden.set(owner, "<organization>");
  // A server that answers with examples may send the same word for every field.
  if (typeof secret === "string" && secret.length >= LEAST_SECRET) hidden.set(secret, "<secret>");
}

/** Disables one of the run's endpoints, even if the run has ended. Returns whether a response shows that it is disabled. */
export async function disable({ endpoints, connection }: Session, id: string): Promise<boolean> {
  const send = async (method: string, json?: Fields) => {
    const sent = { token: endpoints.get(id) ?? null, cleanup: true, ...(json !== undefined && { json }) };
    return connection.send(`${method} /v1/webhooks/endpoints/${id}`, sent).catch(() => undefined);
  };
  const answer = await send("PATCH", { enabled: false });
  return answer !== undefined && answer.status < 300 && (isDisabled(answer) || isDisabled(await send("GET")));
}

/** Returns whether a response shows that an endpoint is disabled. */
function isDisabled({ status, body }: Partial<Answer> = {}): boolean {
  return status !== undefined && status < 300 && (body as { enabled?: unknown } | undefined)?.enabled === false;
}

/** Updates the endpoint of this version. */
export async function update(service: Service, fields: Fields): Promise<Answer> {
  const { id } = await endpoint(service);
  return service.send(`PATCH /v1/webhooks/endpoints/${id}`, { json: fields, token: endpointToken(service) });
}

/** Sends a body until the service accepts it, and fills in or leaves out the fields that its 422 names. */
async function repaired(
  send: (fields: Fields) => Promise<Answer>,
  first: Fields,
  depth: number,
  repair: (fields: Fields, problem: Problem) => Promise<Fields>,
): Promise<Accepted> {
  const missing = new Set<string>();
  let fields = first;
  for (let attempt = 0; attempt < MAX_REPAIRS; attempt++) {
    const answer = await send(fields);
    if (answer.status < 300) return { fields, missing: [...missing], answer };
    const before = JSON.stringify(fields);
    for (const problem of problemsOf(answer)) {
      if (problem.type === "missing") missing.add(String(problem.loc[depth]));
      fields = await repair(fields, problem);
    }
    if (JSON.stringify(fields) === before)
      throw new NotObservable(`no accepted ${answer.request.split(" ", 2).join(" ")}: ${summaryOf(answer)}`);
  }
  throw new NotObservable(`no request was accepted after ${MAX_REPAIRS} attempts`);
}
