import type { Contract, Operation, SecuritySchemeName } from "../src/contract/index.ts";
import { type Answer, ERROR, fieldsOf, type Problem, shown } from "./answer.ts";
import { type ConformanceToken, KINDS, type Settings } from "./options.ts";
import { Deviation, NotObservable } from "./outcome.ts";
import { mismatch, type Pattern, STRING } from "./pattern.ts";
import { ENDPOINTS, type Sent, type Session } from "./session.ts";
import { versions } from "./versions.ts";

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

/** The token that a request needs. */
interface TokenNeeds {
  readonly kind?: SecuritySchemeName;
  readonly scope?: string | undefined;
  /** Scopes that it must not have. */
  readonly lacks?: readonly string[];
}

/** A description of a response. */
export interface Expected {
  readonly status?: Pattern;
  readonly headers?: Readonly<Record<string, Pattern>>;
  readonly body?: Pattern;
}

/** A body that the service accepts, and the response to it. */
interface Accepted {
  readonly fields: Fields;
  readonly answer: Answer;
}

/** An endpoint that the run created. */
export interface Endpoint extends Fields {
  readonly id: string;
}

/** Returns a version of the package other than the given one. */
export function otherVersion(version: unknown): string {
  return versions.map(({ contract }) => contract.version as string).find((each) => each !== version) ?? "";
}

/** Describes what was received at a place. */
type Describe = (place: string, value: unknown) => string;

/** The longest part of a request's body that a report shows, and what a 422 may lead to: the longest name and body. */
const [MAX_SHOWN, MAX_NAME, MAX_BODY] = [160, 100_000, 1024 * 1024];

/** The service at one version, as checks see it. */
export class Service {
  readonly session: Session;
  readonly contract: Contract;
  readonly createClient: (typeof versions)[number]["createClient"];

  constructor(session: Session, { contract, createClient }: (typeof versions)[number]) {
    this.session = session;
    this.contract = contract;
    this.createClient = createClient;
  }

  get settings(): Settings {
    return this.session.settings;
  }

  get version(): string {
    return this.contract.version;
  }

  /** Sends a request, written as `METHOD /path`: with this version, and with a token that its operation accepts. */
  async send(line: string, sent: Sent = {}): Promise<Answer> {
    const token = sent.token === undefined ? this.tokenFor(line) : sent.token;
    return this.session.send(line, { version: this.version, ...sent, token });
  }

  /** Sends a request. Throws a {@link Deviation} unless the response is as expected. */
  async expect(line: string, sent: Sent, expected: Expected): Promise<Answer> {
    return this.check(await this.send(line, sent), expected);
  }

  /** Returns a response. Throws a {@link Deviation} unless it is as expected. */
  check(answer: Answer, { status, headers = {}, body }: Expected): Answer {
    this.compare(answer.request, "status", answer.status, status, () => answer.summary);
    const received = (place: string, value: unknown) =>
      `${answer.status}, ${place}: ${shown(value, place === "body.error" ? ERROR : undefined)}`;
    for (const [name, pattern] of Object.entries(headers))
      this.compare(answer.request, name, answer.headers.get(name), pattern, received);
    this.compare(answer.request, "body", answer.body, body, received);
    return answer;
  }

  /** Throws a {@link Deviation} unless a part of a response or a delivery fits a pattern, if there is one. */
  compare(request: string, part: string, value: unknown, pattern: Pattern | undefined, describe: Describe): void {
    const found = pattern !== undefined && mismatch(value, pattern);
    if (!found) return;
    const place = found.path === "" ? part : `${part}.${found.path}`;
    throw this.deviation(request, `${place}: ${found.expected}`, describe(place, found.value));
  }

  /** Returns a deviation from a rule, without secrets and ids. */
  deviation(request: string, expected: string, received: string): Deviation {
    const [, line = "", body = ""] = /^(\S+ \S+ )?(.*)$/s.exec(request) ?? [];
    const hide = (text: string, most?: number) => this.session.hide(text, most);
    const shownRequest = hide(line) + hide(body, MAX_SHOWN);
    return new Deviation({ request: shownRequest, expected: hide(expected), received: hide(received) });
  }

  /** Returns the token for a request without one: any that its operation accepts. */
  tokenFor(line: string): string | null {
    const operation = this.#operationOf(line);
    if (!operation) return this.settings.tokens[0]?.token ?? null;
    const { schemes, scopes } = operation.security;
    const kinds = KINDS.filter((kind) => schemes.includes(kind));
    const [found] = kinds.flatMap((kind) => this.find({ kind, scope: scopes.at(-1) }) ?? []);
    if (found) return found.token;
    throw new NotObservable(`no token for ${operation.id}: ${schemes.join(" or ")} with ${scopes.join(" or ")}`);
  }

  #operationOf(line: string): Operation | undefined {
    const [method, path = ""] = line.split(/[ ?]/);
    return this.contract.operations.find((each) => {
      const pattern = new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      return each.method === method && pattern.test(path);
    });
  }

  /** Returns a token. Throws {@link NotObservable} if there is none. */
  token(needs: TokenNeeds): ConformanceToken {
    const found = this.find(needs);
    if (found) return found;
    const { kind, scope, lacks = [] } = needs;
    const without = lacks.length > 3 ? "without scopes" : `without ${lacks.join(" and ")}`;
    const words = [kind && `of the kind ${kind}`, scope && `with ${scope}`, lacks.length > 0 && without];
    throw new NotObservable(["needs a token", ...words.filter(Boolean)].join(" "));
  }

  /** Returns a token that meets the needs. The scopes of a token that does not list them are unknown: it may have all. */
  find({ kind, scope, lacks }: TokenNeeds): ConformanceToken | undefined {
    return this.settings.tokens.find(
      (each) =>
        (kind === undefined || each.kind === kind) &&
        (scope === undefined || (each.scopes?.includes(scope) ?? true)) &&
        (lacks === undefined || (each.scopes !== undefined && !lacks.some((name) => each.scopes?.includes(name)))),
    );
  }

  /** Returns the result of a function that runs once for this version. */
  once<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    return this.session.once(`${this.version} ${key}`, run);
  }

  /** Returns a UUID that begins with the run's digits. */
  newId(): string {
    return this.session.run + crypto.randomUUID().slice(8);
  }

  /** Returns an address that never receives anything (RFC 2606). */
  unusedUrl(scheme = "https"): string {
    return `${scheme}://conformance-${this.session.run}.invalid/`;
  }

  /**
   * Returns an event that the service accepts from a token, with its response. Every use has the same `external_id`, so it is
   * stored once. Only the rule about the response names one without counts.
   */
  async acceptedEvent(token = this.#tokenOf(INGEST), mustBeComplete = true): Promise<Accepted> {
    const found = await this.once(`event ${token}`, () => {
      const customer_id = this.settings.customerId ?? this.newId();
      const first = { name: `conformance ${this.session.run}`, customer_id, external_id: this.newId() };
      return this.#repaired(token, (event) => this.send(INGEST, { token, json: { events: [event] } }), first, 3);
    });
    const { inserted, duplicates } = found.answer.fields;
    if (!mustBeComplete || (inserted ?? duplicates) !== undefined) return found;
    throw new NotObservable(`${found.answer.summary}, without inserted and duplicates (ING-1)`);
  }

  /** Ingests the event that the service accepts, once with each of several changes. A field that is undefined is left out. */
  async ingest(...changes: readonly Fields[]): Promise<Answer> {
    return this.ingestWith(this.#tokenOf(INGEST), ...changes);
  }

  /** Ingests the event that the service accepts from a token. */
  async ingestWith(token: string, ...changes: readonly Fields[]): Promise<Answer> {
    const { fields } = await this.acceptedEvent(token);
    const events = changes.map((each) => ({ ...fields, ...each }));
    return this.send(INGEST, { token, json: { events } });
  }

  /** Returns the ids of the organizations that a token has access to. */
  organizationsOf(token: string): Promise<readonly string[]> {
    return this.once(`organizations ${token}`, async () => {
      const { organizations } = (await this.send(LOOKUP, { token })).fields;
      return Array.isArray(organizations) ? organizations.map((each) => String(fieldsOf(each)["id"])) : [];
    });
  }

  /** Returns the id of the organization for the records of a token. */
  async ownOrganization(token: string): Promise<string> {
    const named = this.settings.tokens.find((each) => each.token === token)?.organizationId;
    const found = named ?? (await this.organizationsOf(token))[0];
    if (found === undefined) throw new NotObservable("needs the organization of a token: give its organizationId");
    return found;
  }

  /**
   * Returns the fields of this version's endpoint, which the run created, and the response. Only the rules about the response
   * name one without an id.
   */
  async acceptedEndpoint(token = this.#tokenOf(CREATE), mustBeComplete = true): Promise<Accepted> {
    const found = await this.once(`endpoint ${token}`, () => {
      const first = { url: this.unusedUrl(), format: "raw", events: [this.contract.webhookEventTypes[0]] };
      return this.#repaired(token, (fields) => this.create(fields, token), first, 1);
    });
    if (!mustBeComplete || STRING.fits(found.answer.fields["id"])) return found;
    throw new NotObservable(`${found.answer.summary}, without an id (WHE-1, WHE-3)`);
  }

  /** Returns the endpoint of this version, which the run created. */
  async endpoint(): Promise<Endpoint> {
    return (await this.acceptedEndpoint()).answer.body as Endpoint;
  }

  /** Reads the endpoint `endpointId`, or this version's endpoint. */
  async readEndpoint(): Promise<Answer> {
    const { endpointId } = this.settings;
    const answer = await this.send(`${READ}/${endpointId ?? (await this.endpoint()).id}`);
    return endpointId === undefined ? answer : answer.requireSuccess("the endpoint of `endpointId`: ");
  }

  /** Updates the endpoint of this version. */
  async update(json: Fields): Promise<Answer> {
    return this.send(`PATCH ${ENDPOINTS}/${(await this.endpoint()).id}`, { json, token: this.#tokenOf(CREATE) });
  }

  /** Creates an endpoint. The run disables it at the end. */
  async create(fields: Fields, token = this.#tokenOf(CREATE)): Promise<Answer> {
    return this.send(CREATE, { token, json: { name: this.newName(), ...fields } });
  }

  /** Returns a name for the next endpoint. */
  newName(): string {
    const { run, endpoints, lost } = this.session;
    return `conformance ${run} ${endpoints.size + lost.length + 1}`;
  }

  #tokenOf(line: string): string {
    return this.tokenFor(line) as string;
  }

  /** Sends a body until the service accepts it, and fills in or changes the fields that its 422 names, at a depth of `loc`. */
  async #repaired(
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
      for (const problem of answer.problems) {
        const field = String(problem.loc[depth]);
        const change =
          problem.type === "missing"
            ? { [field]: await valueFor(this, token, field) }
            : REPAIRS[field]?.(this, problem, String(fields[field]));
        fields = { ...fields, ...change };
      }
      const after = JSON.stringify(fields);
      if (after !== before && after.length <= MAX_BODY) continue;
      const hint = answer.summary.includes("customer_id") && !this.settings.customerId ? "; give a `customerId`" : "";
      throw new NotObservable(`no accepted ${answer.request.split(" ", 2).join(" ")}: ${answer.summary}${hint}`);
    }
    throw new NotObservable(`no request was accepted after ${MAX_REPAIRS} attempts`);
  }
}

/** The changes of a field that was rejected. */
const REPAIRS: Readonly<Record<string, (service: Service, problem: Problem, value: string) => Fields>> = {
  customer_id: (service) => ({ customer_id: undefined, external_customer_id: service.newId() }),
  organization_id: () => ({ organization_id: undefined }),
  timestamp: () => ({ timestamp: "2020-01-01T00:00:00Z" }),
  name: (_, { ctx = {} }, name) => {
    const { min_length: least = 0, max_length: most = Math.max(least, name.length) } = ctx as Record<string, number>;
    return { name: name.padEnd(Math.min(least, MAX_NAME), "x").slice(0, most) };
  },
  url: (service) => ({ url: service.unusedUrl("http") }),
};

async function valueFor(service: Service, token: string, field: string): Promise<unknown> {
  if (field === "organization_id") return service.ownOrganization(token);
  if (field === "timestamp") return new Date(Date.now() - 300_000).toISOString();
  return field === "metadata" ? {} : service.newId();
}
