import type { Contract, Operation, SecuritySchemeName } from "../src/contract/index.ts";
import type { Answer, Connection, Sent } from "./connection.ts";
import type { ConformanceToken, Settings } from "./options.ts";
import { Deviation, type Json, NotObservable, type Observed } from "./outcome.ts";
import { type Mismatch, mismatch, type Pattern, textOf } from "./pattern.ts";

/** The state of a run that its checks share. */
export interface Session {
  readonly settings: Settings;
  readonly connection: Connection;
  /** Eight hexadecimal digits, which the names and ids of everything that the run creates begin with. */
  readonly run: string;
  /** Texts that a report must not contain, and what it shows instead. */
  readonly hidden: Map<string, string>;
  /** The endpoints that the run created, with the tokens that created them. */
  readonly endpoints: Map<string, string>;
  /** The names or URLs of endpoints that may have been created: no response shows it. */
  readonly lost: string[];
  /** The receiver's URL, while one of the run's endpoints may deliver to it. */
  readonly receiving: Set<string>;
  /** The results of functions that run once for all versions. */
  readonly results: Map<string, Promise<unknown>>;
}

/** Replaces tokens in reports. */
export const TOKEN = "<token>";

/** Minimum length of an id that is hidden everywhere in a report, in characters. */
const LEAST_ID = 8;

/** The token that a request needs. */
interface TokenNeeds {
  readonly kind?: SecuritySchemeName;
  readonly scope?: string;
  /** Scopes that it must not have. */
  readonly lacks?: readonly string[];
}

/** A description of a response. */
interface Expected {
  readonly status?: Pattern;
  readonly headers?: Readonly<Record<string, Pattern>>;
  readonly body?: Pattern;
}

/** One problem of a 422 (section 2.5). */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** The service at one version, as checks see it. */
export class Service {
  readonly session: Session;
  readonly contract: Contract;
  readonly #results = new Map<string, Promise<unknown>>();

  constructor(session: Session, contract: Contract) {
    this.session = session;
    this.contract = contract;
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
    return this.session.connection.send(line, { version: this.version, ...sent, token });
  }

  /** Sends a request. Throws a {@link Deviation} unless the response is as expected. */
  async expect(line: string, sent: Sent, expected: Expected): Promise<Answer> {
    return this.check(await this.send(line, sent), expected);
  }

  /** Returns a response. Throws a {@link Deviation} unless it is as expected. */
  check(answer: Answer, { status, headers = {}, body }: Expected): Answer {
    if (status !== undefined) this.#require(answer, "status", mismatch(answer.status, status));
    for (const [name, pattern] of Object.entries(headers)) {
      this.#require(answer, name, mismatch(answer.headers.get(name), pattern));
    }
    if (body !== undefined) this.#require(answer, "body", mismatch(answer.body, body));
    return answer;
  }

  #require(answer: Answer, part: string, found: Mismatch | undefined): void {
    if (!found) return;
    const place = found.path === "" ? part : `${part}.${found.path}`;
    const received = part === "status" ? summaryOf(answer) : `${answer.status}, ${place}: ${shown(found.value)}`;
    throw this.deviation(answer.request, `${place}: ${found.expected}`, received);
  }

  /** Returns a deviation from a rule, without secrets and ids. */
  deviation(request: string, expected: string, received: string): Deviation {
    const hide = (text: string) => this.hide(text);
    return new Deviation({ request: shortened(hide(request)), expected: hide(expected), received: hide(received) });
  }

  /** Replaces secrets and ids. An id that may also be an ordinary word is replaced only in request fields. */
  hide(text: string): string {
    let shown = text;
    for (const [hidden, name] of this.session.hidden) {
      const isWord = name !== TOKEN && (hidden.length < LEAST_ID || /^[a-z]+$/i.test(hidden));
      shown = isWord ? shown.replaceAll(`_id":"${hidden}"`, `_id":"${name}"`) : shown.replaceAll(hidden, name);
    }
    return shown;
  }

  /** Returns the token for a request without one: any that its operation accepts. */
  tokenFor(line: string): string | null {
    const operation = this.operationOf(line);
    if (!operation) return this.anyToken();
    const { schemes, scopes } = operation.security;
    for (const kind of ["oat", "pat", "oidc"] as const) {
      if (!schemes.includes(kind)) continue;
      const found = this.find({ kind, ...(scopes.length > 0 && { scope: scopes.at(-1) as string }) });
      if (found) return found.token;
    }
    throw new NotObservable(`no token for ${operation.id}: ${schemes.join(" or ")} with ${scopes.join(" or ")}`);
  }

  /** Returns the operation of a request, written as `METHOD /path`. */
  operationOf(line: string): Operation | undefined {
    const [method, path = ""] = line.split(" ");
    const [plain = ""] = path.split("?");
    return this.contract.operations.find((each) => {
      const pattern = new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      return each.method === method && pattern.test(plain);
    });
  }

  /** Returns a token. Throws {@link NotObservable} if there is none. */
  token(needs: TokenNeeds): ConformanceToken {
    const found = this.find(needs);
    if (found) return found;
    const { kind, scope, lacks = [] } = needs;
    const words = ["needs a token", kind && `of the kind ${kind}`, scope && `with ${scope}`];
    if (lacks.length > 0) words.push(lacks.length > 3 ? "without scopes" : `without ${lacks.join(" and ")}`);
    throw new NotObservable(words.filter((each) => each !== undefined).join(" "));
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
    return memoized(this.#results, key, run);
  }

  /** Returns the result of a function that runs once for all versions. */
  shared<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    return memoized(this.session.results, key, run);
  }

  /** Returns a token for a request whose response does not depend on it. */
  anyToken(): string | null {
    return this.settings.tokens[0]?.token ?? null;
  }
}

const MAX_SHOWN = 160;

/** Cuts the body of a request. What a report must not contain must be hidden before: a part of it would remain. */
function shortened(request: string): string {
  const [method = "", path = ""] = request.split(" ", 2);
  const line = `${method} ${path} `;
  const body = request.slice(line.length);
  return body.length <= MAX_SHOWN ? request : `${line}${body.slice(0, MAX_SHOWN)}… (${body.length} characters)`;
}

function memoized<Result>(results: Map<string, Promise<unknown>>, key: string, run: () => Promise<Result>) {
  const result = (results.get(key) as Promise<Result> | undefined) ?? run();
  results.set(key, result);
  return result;
}

/** Returns the problems of a 422; none for any other response. */
export function problemsOf({ status, body }: Answer): readonly Problem[] {
  const fits = status === 422 && !mismatch(body, { detail: [{ loc: Array, type: String }] });
  return fits ? (body as { detail: readonly Problem[] }).detail : [];
}

/** The 4xx that say nothing about the fields of a request: a timeout, and a rate limit. */
const NO_VERDICTS = [408, 429];

/** Returns whether a response accepts a request: true for a 2xx, false for a 4xx. Throws for any other response. */
export function isAccepted(answer: Answer): boolean {
  const kind = Math.floor(answer.status / 100);
  if ((kind === 2 || kind === 4) && !NO_VERDICTS.includes(answer.status)) return kind === 2;
  throw new NotObservable(summaryOf(answer));
}

/** Returns the first value if a response accepts a request, and the second if it rejects it. */
export function verdict(answer: Answer, [accepted, rejected]: readonly [Json, Json], what?: string): Observed {
  const evidence = what === undefined ? summaryOf(answer) : `${what}: ${summaryOf(answer)}`;
  return { value: isAccepted(answer) ? accepted : rejected, evidence };
}

/** Returns a response. Throws unless it is a success. */
export function requireSuccess(answer: Answer): Answer {
  if (answer.status < 300) return answer;
  throw new NotObservable(summaryOf(answer));
}

/** Describes a response by its status and its problems, without values that may be the data of a customer. */
export function summaryOf(answer: Answer): string {
  const { error } = (answer.body ?? {}) as { readonly error?: unknown };
  const problems = problemsOf(answer).slice(0, 3);
  const details = problems.map(({ loc, type }) => `${type} at ${loc.slice(0, 4).join(".")}`);
  if (typeof error === "string") details.push(shown(error));
  if (answer.body === undefined) details.push(`${answer.headers.get("content-type") ?? "no content type"}, not JSON`);
  return details.length === 0 ? String(answer.status) : `${answer.status} ${details.join(", ")}`;
}

/** Texts that cannot be the data of a customer: times, ids and names of the specification. */
const PLAIN = /^(?:[\d:.+TZ-]{1,40}|[\da-f-]{36}|[A-Za-z_]+[._][A-Za-z_.]+|[A-Z][a-z]+[A-Z]\w+|application\/json.*)$/;

function shown(value: unknown): string {
  if (value === undefined) return "absent";
  if (typeof value === "string")
    return PLAIN.test(value) ? JSON.stringify(value) : `a string of ${value.length} characters`;
  return typeof value === "object" && value !== null
    ? textOf(Array.isArray(value) ? Array : fieldsOnly)
    : String(value);
}

const fieldsOnly = { expected: "an object", fits: () => true };
