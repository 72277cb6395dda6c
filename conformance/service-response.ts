import { ARRAY, mismatch, OBJECT, STRING } from "./pattern.ts";
import { type Json, NotObservable, type Observed } from "./report.ts";

/** One problem of a 422 (section 2.5). */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** The 4xx that do not say whether the fields of a request are valid: about the token, conflicts, timeouts and rates. */
const NO_VERDICTS = [401, 403, 408, 409, 425, 429];

/** A response. */
export class ServiceResponse {
  /** The request: its method, its path and its body. A report shows its beginning, without what it must not contain. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined if the body is empty or not JSON. */
  readonly body: unknown;
  /** Whether the request had one of the run's tokens, of which it is not known that it may send it. */
  readonly mayBeDenied: boolean;

  constructor(
    request: string,
    { status, headers, body }: Pick<ServiceResponse, "status" | "headers" | "body">,
    mayBeDenied = false,
  ) {
    this.request = request;
    this.mayBeDenied = mayBeDenied;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** Whether it is a 3xx or a 4xx. */
  get isRejection(): boolean {
    return this.status >= 300 && this.status < 500;
  }

  /** The fields of the body; none if it is not an object. */
  get fields(): Readonly<Record<string, unknown>> {
    return fieldsOf(this.body);
  }

  /** The problems of a 422; none for any other response. */
  get problems(): readonly Problem[] {
    const fits = this.status === 422 && !mismatch(this.body, { detail: [{ loc: ARRAY, type: STRING }] });
    return fits ? (this.body as { detail: readonly Problem[] }).detail : [];
  }

  /** The status and the problems, without values that may be the data of a customer. */
  get summary(): string {
    const { error } = this.fields;
    const details = this.problems.slice(0, 3).map(({ loc, type }) => {
      return `${nameOf(type)} at ${loc.slice(0, 4).map(nameOf).join(".")}`;
    });
    if (typeof error === "string") details.push(shown(error, ERROR));
    if (this.body === undefined) details.push(`${this.headers.get("content-type") ?? "no content type"}, not JSON`);
    return details.length === 0 ? String(this.status) : `${this.status} ${details.join(", ")}`;
  }

  /** Returns whether a 422 names a field of the first event, or of the body. */
  names(field: string): boolean {
    return this.problems.some(({ loc }) => pathOf(loc).includes(field));
  }

  /**
   * Returns whether the response accepts the request: true for a 2xx, false for a 4xx. Throws {@link NotObservable} for any
   * other response, and for a 422 that names only other fields than the ones that the request is about.
   */
  isAccepted(...fields: readonly string[]): boolean {
    const kind = Math.floor(this.status / 100);
    if (kind === 2) return true;
    const paths = this.problems.map(({ loc }) => pathOf(loc));
    const isAbout = (path: Problem["loc"]) => path.length === 0 || path.some((each) => fields.includes(String(each)));
    const isNamed = fields.length === 0 || paths.length === 0 || paths.some(isAbout);
    if (kind === 4 && !NO_VERDICTS.includes(this.status) && isNamed) return false;
    throw new NotObservable(this.summary);
  }

  /** Returns the first value if the response accepts a request about fields, and the second if it rejects it. */
  verdict([accepted, rejected]: readonly [Json, Json], { what = "", fields = [] as readonly string[] } = {}): Observed {
    const value = this.isAccepted(...fields) ? accepted : rejected;
    return { value, evidence: `${what === "" ? "" : `${what}: `}${this.summary}` };
  }

  /** Returns the response. Throws {@link NotObservable} unless it is a success. */
  requireSuccess(why = ""): this {
    if (this.status < 300) return this;
    throw new NotObservable(why + this.summary);
  }
}

/** Returns the path of a field in an event or in the body; empty for a whole event. */
function pathOf(loc: Problem["loc"]): Problem["loc"] {
  return loc.slice(loc[1] === "events" && loc.length > 2 ? 3 : 1);
}

/** The name of an error, which a service's `error` field contains. */
export const ERROR = /^[A-Za-z_]{1,40}$/;

/** Returns the name of a field or of a kind of problem, and describes any other value. */
const nameOf = (value: unknown) => shown(value, /^[A-Za-z_.-]{1,40}$/).replaceAll('"', "");

/** Texts that are not the data of a customer: versions, dates, times, UUIDs and the media type of JSON. */
const PLAIN =
  /^(?:(?:19|20)\d\d-[01]\d(?:-[0-3]\d(?:[T ][\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)?)?)?|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|application\/json(?:; ?charset=[\w-]+)?)$/i;

/** Describes a value, without the data of a customer. */
export function shown(value: unknown, plain = PLAIN): string {
  if (value === undefined) return "absent";
  if (typeof value === "string")
    return plain.test(value) ? JSON.stringify(value) : `a string of ${value.length} characters`;
  return [ARRAY, OBJECT].find(({ fits }) => fits(value))?.expected ?? String(value);
}

/** Parses JSON; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the fields of a body; none if it is not an object. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return Object(body) as Readonly<Record<string, unknown>>;
}
