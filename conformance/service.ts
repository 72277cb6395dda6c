import type { Contract, Operation, SecuritySchemeName } from "../src/contract/index.ts";
import type { ConformanceToken, Settings } from "./options.ts";
import { Deviation, type Json, NotObservable, type Observed } from "./outcome.ts";
import { ARRAY, mismatch, OBJECT, type Pattern, STRING } from "./pattern.ts";
import { type Answer, fieldsOf, type Sent, type Session } from "./session.ts";

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

/** One problem of a 422 (section 2.5). */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Describes what was received at a place. */
type Describe = (place: string, value: unknown) => string;

const MAX_SHOWN = 160;

/** The kinds of credential, in the order in which a request without a token tries them. */
export const KINDS = ["oat", "pat", "oidc"] as const;

/** The service at one version, as checks see it. */
export class Service {
  readonly session: Session;
  readonly contract: Contract;

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
    return this.session.send(line, { version: this.version, ...sent, token });
  }

  /** Sends a request. Throws a {@link Deviation} unless the response is as expected. */
  async expect(line: string, sent: Sent, expected: Expected): Promise<Answer> {
    return this.check(await this.send(line, sent), expected);
  }

  /** Returns a response. Throws a {@link Deviation} unless it is as expected. */
  check(answer: Answer, { status, headers = {}, body }: Expected): Answer {
    this.compare(answer.request, "status", answer.status, status, () => summaryOf(answer));
    const received = (place: string, value: unknown) => `${answer.status}, ${place}: ${shown(value)}`;
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
    // A part of an id would remain if the request were cut before.
    const [, line = "", body = ""] = /^(\S+ \S+ )?(.*)$/s.exec(this.session.hide(request)) ?? [];
    const cut = body.length <= MAX_SHOWN ? body : `${body.slice(0, MAX_SHOWN)}… (${body.length} characters)`;
    const hide = (text: string) => this.session.hide(text);
    return new Deviation({ request: line + cut, expected: hide(expected), received: hide(received) });
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
}

/** Returns the problems of a 422; none for any other response. */
export function problemsOf({ status, body }: Answer): readonly Problem[] {
  const fits = status === 422 && !mismatch(body, { detail: [{ loc: ARRAY, type: STRING }] });
  return fits ? (body as { detail: readonly Problem[] }).detail : [];
}

/** Returns whether a 422 names a field of the first event, or of the body. */
export function names(answer: Answer, field: string): boolean {
  return problemsOf(answer).some(({ loc }) => pathOf(loc).includes(field));
}

/** Returns the path of a field in an event or in the body; empty for a whole event. */
function pathOf(loc: Problem["loc"]): Problem["loc"] {
  return loc.slice(loc[1] === "events" && loc.length > 2 ? 3 : 1);
}

/** The 4xx that do not say whether the fields of a request are valid: about the token, conflicts, timeouts and rates. */
const NO_VERDICTS = [401, 403, 408, 409, 425, 429];

/**
 * Returns whether a response accepts a request: true for a 2xx, false for a 4xx. Throws {@link NotObservable} for any other
 * response, and for a 422 that names only other fields than the ones that the request is about.
 */
export function isAccepted(answer: Answer, ...fields: readonly string[]): boolean {
  const kind = Math.floor(answer.status / 100);
  if (kind === 2) return true;
  const paths = problemsOf(answer).map(({ loc }) => pathOf(loc));
  const isAbout = (path: Problem["loc"]) => path.length === 0 || path.some((each) => fields.includes(String(each)));
  const isNamed = fields.length === 0 || paths.length === 0 || paths.some(isAbout);
  if (kind === 4 && !NO_VERDICTS.includes(answer.status) && isNamed) return false;
  throw new NotObservable(summaryOf(answer));
}

/** Returns the first value if a response accepts a request about fields, and the second if it rejects it. */
export function verdict(
  answer: Answer,
  [accepted, rejected]: readonly [Json, Json],
  { what = "", fields = [] }: { readonly what?: string; readonly fields?: readonly string[] } = {},
): Observed {
  const value = isAccepted(answer, ...fields) ? accepted : rejected;
  return { value, evidence: `${what === "" ? "" : `${what}: `}${summaryOf(answer)}` };
}

/** Returns a response. Throws {@link NotObservable} unless it is a success. */
export function requireSuccess(answer: Answer, why = ""): Answer {
  if (answer.status < 300) return answer;
  throw new NotObservable(`${why}${summaryOf(answer)}`);
}

/** Describes a response by its status and its problems, without values that may be the data of a customer. */
export function summaryOf(answer: Answer): string {
  const { error } = fieldsOf(answer.body);
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
  const [type] = [ARRAY, OBJECT].filter(({ fits }) => fits(value));
  return type?.expected ?? String(value);
}
