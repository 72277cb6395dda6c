import type { Contract, Operation, SecuritySchemeName } from "../src/contract/index.ts";
import { nextVersion } from "../src/lifecycle/index.ts";
import { DENIED, mismatch, type Pattern, STRING } from "./pattern.ts";
import { type Accepted, type Fields, repaired } from "./repair.ts";
import { Deviation, NotObservable } from "./report.ts";
import { ENDPOINTS, type Requester, type Sent } from "./requester.ts";
import { ERROR, fieldsOf, type ServiceResponse, shown } from "./service-response.ts";
import { type ConformanceToken, contracts, KINDS, type Settings } from "./settings.ts";

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
/** Requests that any credential may send, and that change nothing. The id is invalid, so that a 404 is about the path. */
export const PROBES: readonly string[] = [LOOKUP, PRODUCTS, `${READ}/1`];

/** The versions that are tried: from a year before the oldest of the package to two years after the newest. */
export const CANDIDATES: readonly string[] = Array.from({ length: 4 + contracts.length + 8 }).reduce<string[]>(
  (names) => [...names, nextVersion(names.at(-1) as string)],
  [String(contracts[0]?.version).replace(/^\d+/, (year) => String(Number(year) - 1))],
);

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

/** An endpoint that the run created. */
export interface Endpoint extends Fields {
  readonly id: string;
}

/** Describes what was received at a place. */
type Describe = (place: string, value: unknown) => string;

/** The longest part of a request's body that a report shows. */
const MAX_SHOWN = 160;

/** The service at one version, as checks see it. */
export class Service {
  readonly requester: Requester;
  readonly contract: Contract;

  constructor(requester: Requester, contract: Contract) {
    this.requester = requester;
    this.contract = contract;
  }

  get settings(): Settings {
    return this.requester.settings;
  }

  get version(): string {
    return this.contract.version;
  }

  /** Sends a request, written as `METHOD /path`: with this version, and with a token that its operation accepts. */
  async send(line: string, sent: Sent = {}): Promise<ServiceResponse> {
    const token = sent.token === undefined ? await this.tokenFor(line) : sent.token;
    const isAllowed = sent.token === undefined && this.#isProbed(line);
    return this.requester.send(this.#withQuery(line), { version: this.version, ...sent, token, isAllowed });
  }

  /** Adds the query that the service needs to the authorization lookup. */
  #withQuery(line: string): string {
    const { authorizeQuery } = this.settings;
    const [start, query] = line.split("?");
    if (authorizeQuery === undefined || start !== LOOKUP) return line;
    return `${LOOKUP}?${authorizeQuery}${query === undefined ? "" : `&${query}`}`;
  }

  /** Sends a request. Throws a {@link Deviation} unless the response is as expected. */
  async expect(line: string, sent: Sent, expected: Expected): Promise<ServiceResponse> {
    return this.check(await this.send(line, sent), expected);
  }

  /**
   * Returns a response. Throws a {@link Deviation} unless it is as expected. A token that is denied shows nothing else.
   */
  check(response: ServiceResponse, { status, headers = {}, body }: Expected): ServiceResponse {
    const isExpected = status === undefined ? body === undefined : !mismatch(response.status, status);
    if (response.mayBeDenied && DENIED.fits(response.status) && !isExpected)
      throw new NotObservable(`the token is denied: ${response.summary}`);
    this.compare(response.request, "status", response.status, status, () => response.summary);
    const received = (place: string, value: unknown) =>
      `${response.status}, ${place}: ${shown(value, place === "body.error" ? ERROR : undefined)}`;
    for (const [name, pattern] of Object.entries(headers))
      this.compare(response.request, name, response.headers.get(name), pattern, received);
    this.compare(response.request, "body", response.body, body, received);
    return response;
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
    const hide = (text: string, most?: number) => this.requester.hide(text, most);
    const shownRequest = hide(line) + hide(body, MAX_SHOWN);
    return new Deviation({ request: shownRequest, expected: hide(expected), received: hide(received) });
  }

  /**
   * Returns the token for a request without one: any that its operation accepts, and with which it answers.
   *
   * @throws NotObservable if there is none.
   */
  async tokenFor(line: string): Promise<string | null> {
    const operation = this.#operationOf(line);
    if (!operation) return this.requester.tokens[0]?.token ?? null;
    const { id, security } = operation;
    const { schemes, scopes } = security;
    return this.once(`token for ${id}`, async () => {
      const kinds = KINDS.filter((kind) => schemes.includes(kind));
      const found = kinds.flatMap((kind) => this.#all({ kind, scope: scopes.at(-1) }));
      let reason = `${schemes.join(" or ")} with ${scopes.join(" or ")}`;
      for (const { token } of found) {
        const response = await this.#probe(operation, token);
        if (response === undefined) return token;
        reason = response.summary;
      }
      throw new NotObservable(`no token for ${id}: ${reason}`);
    });
  }

  /** Whether `tokenFor` tries a request with a token. It writes nothing. */
  #isProbed(line: string): boolean {
    const operation = this.#operationOf(line);
    return operation?.method === "GET" || (line === INGEST && this.settings.allowWrites);
  }

  /** Returns the response to an operation that a token may not call, or that is not served. */
  async #probe({ method, path }: Operation, token: string): Promise<ServiceResponse | undefined> {
    const hasId = path.includes("{id}");
    if (!this.#isProbed(`${method} ${path}`)) return undefined;
    const sent = { token, ...(method !== "GET" && { json: {} }) };
    const response = await this.send(`${method} ${path.replace(/\{\w+\}/, "1")}`, sent);
    const isAbsent = !hasId && (response.status === 404 || response.status === 405);
    const isClosed = DENIED.fits(response.status) || isAbsent || (response.status >= 300 && response.status < 400);
    return isClosed ? response : undefined;
  }

  /**
   * Returns a request that shows which version responds: the first that a token may send. Throws {@link NotObservable} without
   * one.
   */
  async anyRequest(): Promise<string> {
    return this.once("any request", async () => {
      const reasons: string[] = [];
      for (const line of PROBES) {
        try {
          const { status, summary } = await this.send(line);
          if (status < 300 || status === 422) return line;
          reasons.push(`${line}: ${summary}`);
        } catch (error) {
          if (!(error instanceof NotObservable)) throw error;
          reasons.push(error.message);
        }
      }
      throw new NotObservable(reasons.join("; "));
    });
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
  find(needs: TokenNeeds): ConformanceToken | undefined {
    return this.#all(needs)[0];
  }

  #all({ kind, scope, lacks }: TokenNeeds): readonly ConformanceToken[] {
    return this.requester.tokens.filter(
      (each) =>
        (kind === undefined || each.kind === kind) &&
        (scope === undefined || (each.scopes?.includes(scope) ?? true)) &&
        (lacks === undefined || (each.scopes !== undefined && !lacks.some((name) => each.scopes?.includes(name)))),
    );
  }

  /** Returns the result of a function that runs once for this version. */
  once<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    return this.requester.once(`${this.version} ${key}`, run);
  }

  /** Returns a UUID that begins with the run's digits. */
  newId(): string {
    return this.requester.run + crypto.randomUUID().slice(8);
  }

  /** Returns an address that never receives anything (RFC 2606). */
  unusedUrl(scheme = "https"): string {
    return `${scheme}://conformance-${this.requester.run}.invalid/`;
  }

  /**
   * Returns an event that the service accepts from a token, with its response. Every use has the same `external_id`, so it is
   * stored once. Only the rule about the response names one without counts.
   */
  async acceptedEvent(given?: string, mustBeComplete = true): Promise<Accepted> {
    const token = given ?? (await this.#tokenOf(INGEST));
    const found = await this.once(`event ${token}`, () => {
      const customer_id = this.settings.customerId ?? this.newId();
      const first = { name: `conformance ${this.requester.run}`, customer_id, external_id: this.newId() };
      return repaired(this, token, (event) => this.send(INGEST, { token, json: { events: [event] } }), first, 3);
    });
    const { inserted, duplicates } = found.response.fields;
    if (!mustBeComplete || (inserted ?? duplicates) !== undefined) return found;
    throw new NotObservable(`${found.response.summary}, without inserted and duplicates (ING-1)`);
  }

  /** Ingests the event that the service accepts, once with each of several changes. A field that is undefined is left out. */
  async ingest(...changes: readonly Fields[]): Promise<ServiceResponse> {
    return this.ingestWith(await this.#tokenOf(INGEST), ...changes);
  }

  /** Ingests the event that the service accepts from a token. */
  async ingestWith(token: string, ...changes: readonly Fields[]): Promise<ServiceResponse> {
    const { fields } = await this.acceptedEvent(token);
    const events = changes.map((each) => ({ ...fields, ...each }));
    return this.send(INGEST, { token, json: { events } });
  }

  /** Returns the ids of the organizations that a token has access to. */
  organizationsOf(token: string): Promise<readonly string[]> {
    return this.once(`organizations ${token}`, async () => {
      const { organizations } = (await this.send(LOOKUP, { token })).fields;
      const named = this.#organizationNamedFor(token) ?? [];
      const ids = Array.isArray(organizations)
        ? organizations.map((each) => String(fieldsOf(each)["id"]))
        : [named].flat();
      for (const id of ids) this.requester.conceal(id, "<organization>");
      return ids;
    });
  }

  #organizationNamedFor(token: string): string | undefined {
    const { tokens, organizationId } = this.settings;
    return tokens.find((each) => each.token === token)?.organizationId ?? organizationId;
  }

  /** Returns the id of the organization for the records of a token. */
  async ownOrganization(token: string): Promise<string> {
    const found = this.#organizationNamedFor(token) ?? (await this.organizationsOf(token))[0];
    if (found !== undefined) return found;
    throw new NotObservable("needs the organization of a token (--organization)");
  }

  /**
   * Returns the fields of this version's endpoint, which the run created, and the response. Only the rules about the response
   * name one without an id.
   */
  async acceptedEndpoint(given?: string, mustBeComplete = true): Promise<Accepted> {
    const token = given ?? (await this.#tokenOf(CREATE));
    const found = await this.once(`endpoint ${token}`, async () => {
      const [type] = this.settings.eventTypes;
      const events = [type ?? this.contract.webhookEventTypes[0]];
      const first = { url: this.unusedUrl(), format: "raw", events };
      return repaired(this, token, (fields) => this.create(fields, token), first, 1);
    });
    if (!mustBeComplete || STRING.fits(found.response.fields["id"])) return found;
    throw new NotObservable(`${found.response.summary}, without an id (WHE-1, WHE-3)`);
  }

  /** Returns the endpoint of this version, which the run created. */
  async endpoint(): Promise<Endpoint> {
    return (await this.acceptedEndpoint()).response.body as Endpoint;
  }

  /** Reads the endpoint `endpointId`, or this version's endpoint. */
  async readEndpoint(): Promise<ServiceResponse> {
    const { endpointId } = this.settings;
    const response = await this.send(`${READ}/${endpointId ?? (await this.endpoint()).id}`);
    return endpointId === undefined ? response : response.requireSuccess("the endpoint of `endpointId`: ");
  }

  /** Updates the endpoint of this version. */
  async update(json: Fields): Promise<ServiceResponse> {
    const token = await this.#tokenOf(CREATE);
    return this.send(`PATCH ${ENDPOINTS}/${(await this.endpoint()).id}`, { json, token });
  }

  /** Creates an endpoint, and disables it at once, unless it is for deliveries: then the run disables it at the end. */
  async create(fields: Fields, given?: string, isForDeliveries = false): Promise<ServiceResponse> {
    const token = given ?? (await this.#tokenOf(CREATE));
    const response = await this.send(CREATE, { token, json: { name: this.newName(), ...fields } });
    const { id } = response.fields;
    if (!isForDeliveries && typeof id === "string" && this.requester.endpoints.has(id))
      await this.requester.disable(id);
    return response;
  }

  /** Returns the versions that the service supports, of those around the package's. */
  supported(): Promise<readonly string[]> {
    return this.requester.once("supported versions", async () => {
      const line = await this.anyRequest();
      const found = [];
      for (const version of CANDIDATES) if ((await this.send(line, { version })).status !== 404) found.push(version);
      return found;
    });
  }

  /** Returns a supported version other than the given one. */
  async otherVersion(version: unknown): Promise<string> {
    const found = (await this.supported()).find((each) => each !== version);
    if (found !== undefined) return found;
    throw new NotObservable("needs a second version that is served");
  }

  /** Returns a field of this version's endpoint. Throws {@link NotObservable} if a response lacks it. */
  async endpointField(name: string): Promise<unknown> {
    const { [name]: value } = await this.endpoint();
    if (value !== undefined) return value;
    throw new NotObservable(`the endpoint has no field ${name} (WHE-3)`);
  }

  /** Returns a name for the next endpoint. */
  newName(): string {
    return `conformance ${this.requester.run} ${this.requester.created + 1}`;
  }

  async #tokenOf(line: string): Promise<string> {
    return (await this.tokenFor(line)) as string;
  }
}
