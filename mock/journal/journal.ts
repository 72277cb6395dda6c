import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { closestName } from "../../src/values/describe.ts";
import { formatTimestamp } from "../clock/clock.ts";
import type { OperationId } from "../generated/names.ts";
import { type EncodedResponse, isSecret, redactSecrets } from "../http/messages.ts";
import { operationIds } from "../lifecycle/versions.ts";
import type { RequestContext } from "../operations/operation.ts";
import {
  type FieldType,
  integer,
  omitUndefined,
  requireShape,
  SECRET,
  text,
  unknownName,
} from "../options/field-types.ts";
import type { State } from "../state/state.ts";
import { fieldNames } from "../validation/body-schema.ts";
import { isTooDeep } from "../validation/parse-body.ts";

/** A request and its response, without credentials. */
export interface RecordedRequest {
  /** The request's number, starting at 1 when the mock is created. */
  readonly id: number;
  /** The time at which the request arrived. */
  readonly at: string;
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /**
   * The query, without the question mark, and with `[redacted]` for each parameter named like the headers left out, or with a
   * webhook secret or a URL with a user name as its value.
   */
  readonly query: string;
  /** The operation's identifier; null if the request did not match one. */
  readonly operation: string | null;
  /** The `Service-Version` of the request; null if it had none. */
  readonly versionAsked: string | null;
  /** The version that processed the request; null if none did. */
  readonly versionUsed: string | null;
  /** The kind of credential; null if none was accepted. */
  readonly credential: SecuritySchemeName | null;
  /**
   * The headers of the request, with lower-case names. Headers whose name includes `authorization`, `cookie`, `token`,
   * `secret`, `password`, `passwd`, `credential`, `signature` or `api-key` (`api_key`) are left out.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the response; null if a fault left the request without one. */
  readonly status: number | null;
  /** The time that the mock worked on the response, in milliseconds, without a fault's `delay`. */
  readonly duration: number;
  /**
   * The request body: parsed JSON, otherwise text. Null if there was none, or if it was not read because the request had no
   * valid token. A `secret`, a string that begins with `whsec_`, and the user name and password of a URL are replaced with
   * `[redacted]`.
   */
  readonly body: unknown;
  /** The response body, in the same form; null if it was empty. */
  readonly responseBody: unknown;
  /**
   * The headers that the mock set on the response, in the same form as `headers`. Empty if a fault left the request without a
   * response.
   */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The id of the fault that failed the request; null if none did. */
  readonly fault: string | null;
  /**
   * Fields of the query and the body that the service ignored because it does not know them, such as
   * `body.events[].external_Id` or `query.pages`: at most 20. Empty if the request was rejected because of its fields.
   */
  readonly ignored: readonly string[];
}

/** A filter for requests. A request must match every field. */
export interface RequestFilter<Id extends string = OperationId> {
  readonly operation?: Id | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly version?: string | undefined;
}

/** The requests to a mock: the newest thousand, oldest first. */
export interface Requests<Id extends string = OperationId> {
  /** Number of requests since the last reset, including those that were deleted to save memory. */
  readonly count: number;
  /**
   * Returns the requests that match a filter, or all requests.
   *
   * @throws TypeError for an unknown or invalid field, and for an unknown operation.
   */
  list(filter?: RequestFilter<Id>): readonly RecordedRequest[];
  /**
   * Returns the requests to an operation: `mock.requests.to("events:ingest")`.
   *
   * @throws TypeError for an unknown operation.
   */
  to(operation: Id): readonly RecordedRequest[];
  /** Returns the newest request that matches a filter; undefined if none does. */
  last(filter?: RequestFilter<Id>): RecordedRequest | undefined;
  /** Removes every request. */
  clear(): void;
}

const FILTER: Readonly<Record<keyof RequestFilter, FieldType>> = {
  operation: text,
  method: text,
  path: text,
  status: integer,
  version: text,
};

const MAX_ENTRIES = 1000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Keeps the newest requests in bounded memory: up to a thousand, and up to 32 million characters of them. */
export class Journal {
  #entries: JournalEntry[] = [];
  #characters = 0;
  #ids = 0;
  #count = 0;
  readonly #state: State;
  readonly #warn: (context: RequestContext) => void;

  /** @param warn Receives a warning for each ignored field. */
  constructor(state: State, warn: false | ((message: string) => void)) {
    this.#state = state;
    this.#warn = warn ? ignoredFieldWarner(warn) : () => {};
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Records a request and its response.
   *
   * @param duration The time until the response, in milliseconds.
   */
  add(finished: FinishedRequest, duration: number): void {
    this.#count += 1;
    this.#ids += 1;
    const entry = journalEntry(this.#ids, finished, duration);
    this.#characters += entry.characters;
    this.#entries.push(entry);
    this.#warn(finished.context);
    while (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= (this.#entries.shift() as JournalEntry).characters;
    }
  }

  /** Returns the requests that match a filter, or all requests, without parsing their bodies. */
  entries(filter: RequestFilter<string> = {}): readonly JournalEntry[] {
    requireShape("requests", filter, FILTER);
    const { method, version: versionUsed, ...fields } = filter;
    const { operation } = fields;
    const known = operationIds(this.#state.versions);
    if (operation !== undefined && !known.has(operation))
      throw new TypeError(`requests: ${unknownName("operation", operation, [...known])}`);
    const wanted = Object.entries(omitUndefined({ ...fields, method: method?.toUpperCase(), versionUsed }));
    return this.#entries.filter((entry) =>
      wanted.every(([name, value]) => entry[name as keyof JournalEntry] === value),
    );
  }

  clear(): void {
    this.#entries = [];
    this.#characters = 0;
    this.#count = 0;
  }
}

/** A request and its response, as the engine passes them to the journal. */
interface FinishedRequest extends EncodedResponse {
  readonly context: RequestContext;
  /** The fault that delayed or failed the request. */
  readonly fault: { readonly id: string; readonly kind?: string | undefined } | undefined;
}

/** A request as it is kept. Its bodies are parsed only when they are read. */
export interface JournalEntry extends Omit<RecordedRequest, "at" | "body" | "responseBody" | "responseHeaders"> {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The body of the request; undefined for a request without a body. */
  readonly text: string | undefined;
  /** The body of the response; undefined if it was empty. */
  readonly json: string | undefined;
  /** As the mock sends them, including secrets of a fault. */
  readonly sent: EncodedResponse["headers"];
  /** The number of characters that are kept. */
  readonly characters: number;
}

/** Creates a request's journal entry. */
function journalEntry(id: number, finished: FinishedRequest, duration: number): JournalEntry {
  const { context, status, body } = finished;
  const { request, address, contract, match } = context;
  const { id: fault = null, kind } = finished.fault ?? {};
  const isAnswered = kind === undefined || kind === "truncated";
  const names = [...request.headers.keys()];
  const headers = withoutSecrets(names.map((name) => [name, request.headers.get(name) ?? ""]));
  const { text } = context;
  const ignored = context.ignored.size > 0 ? [...context.ignored] : NONE;
  return {
    id,
    at: context.receivedAt,
    method: request.method,
    path: address.path,
    query: address.search.replace(/(?<![^&])([^&=]+)=[^&]*/g, redactParameter),
    operation: match?.route.operation.id ?? null,
    versionAsked: request.headers.get("service-version"),
    versionUsed: contract?.version ?? null,
    credential: context.identity().credential?.type ?? null,
    headers,
    status: isAnswered ? status : null,
    duration,
    text,
    json: body,
    sent: isAnswered ? finished.headers : {},
    characters: [text ?? "", body ?? "", ...Object.values(headers), ...ignored].reduce(
      (sum, { length }) => sum + length,
      0,
    ),
    fault,
    ignored,
  };
}

const NONE: readonly string[] = Object.freeze([]);

/** Replaces the value of a query parameter that may be secret. Decodes both as the operations do. */
function redactParameter(sent: string, sentName: string): string {
  const [[name, value] = ["", ""]] = new URLSearchParams(sent);
  return isSecret(name, value) ? `${sentName}=[redacted]` : sent;
}

/** Collects the headers of a request and its response, and parses their bodies. */
export function toRecordedRequest({ characters: _, ...kept }: JournalEntry): RecordedRequest {
  const { text, json, at, sent, ...entry } = kept;
  const bodies = { body: parseBody(text), responseBody: parseBody(json) };
  const responseHeaders = withoutSecrets(Object.entries(sent));
  return { ...entry, at: formatTimestamp(at), ...bodies, responseHeaders };
}

function redact(name: string, value: unknown): unknown {
  if (name === "secret" && value !== null) return "[redacted]";
  return typeof value === "string" ? redactSecrets(value) : value;
}

/** Matches a field `secret` of a body that is not valid JSON. */
const SECRET_FIELD = /("secret"\s*:\s*")(?:[^"\\]|\\.){1,65536}/g;

function parseBody(body: string | undefined): unknown {
  if (body === undefined || body === "") return null;
  try {
    const value: unknown = JSON.parse(body, redact);
    // Not every program that reads the journal could walk a deeper body.
    if (!isTooDeep(value)) return value;
  } catch {}
  return redactSecrets(body.replace(SECRET_FIELD, "$1[redacted]"));
}

/** Returns headers by their lower-case names, without credentials. */
function withoutSecrets(headers: Iterable<readonly [name: string, value: string]>): Readonly<Record<string, string>> {
  const kept = Array.from(headers, ([name, value]) => [name.toLowerCase(), value] as const);
  return Object.freeze(Object.fromEntries(kept.filter(([name]) => !SECRET.test(name))));
}

/** The maximum number of warnings of one mock. */
const MAX_WARNINGS = 100;

/** Returns a function that warns once about each field of an operation that the service ignores. */
function ignoredFieldWarner(warn: (message: string) => void): (context: RequestContext) => void {
  const warned = new Set<string>();
  return ({ match, ignored }) => {
    const { id, request } = match?.route.operation ?? {};
    for (const path of ignored) {
      const message = `${id} ignored the unknown field ${path}`;
      if (warned.has(message) || warned.size === MAX_WARNINGS) continue;
      warned.add(message);
      const names = [request?.query, request?.body].flatMap((schema) => (schema ? fieldNames(schema) : []));
      const meant = closestName(path.slice(path.lastIndexOf(".") + 1), names);
      warn(meant === undefined ? message : `${message}; did you mean ${meant}?`);
    }
  };
}
