import { integer, text } from "../options/field-kinds.ts";
import { type FieldKind, requireShape, unknownName } from "../options/shape.ts";
import { formatTimestamp } from "../state/clock.ts";
import { isDeeper } from "../validation/depth.ts";
import { keptBody } from "./kept-body.ts";
import type { RecordedRequest, RequestFilter, Requests } from "./requests.ts";
import { headersByName, type SentHeaders, sentHeaders } from "./sent-headers.ts";

/** A request and its response, as the engine passes them to the recorder. */
export interface AnsweredRequest extends Omit<RecordedRequest, "id" | "at" | "headers" | "body" | "answer"> {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Every header of the request, with lower-case names. */
  readonly headers: Iterable<readonly [string, string]>;
  /** The body of the request; undefined for a request without a body. */
  readonly text: string | undefined;
  /** The body of the response; undefined if it was empty. */
  readonly json: string | undefined;
}

/** A request as it is kept. Its headers are collected and its bodies parsed only when they are read. */
export interface JournalEntry extends Omit<AnsweredRequest, "headers"> {
  readonly id: number;
  readonly headers: SentHeaders;
}

const FILTER: Readonly<Record<keyof RequestFilter, FieldKind>> = {
  operation: text,
  method: text,
  path: text,
  status: integer,
  version: text,
};

const MAX_ENTRIES = 1000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Keeps the newest requests in bounded memory: up to a thousand, and up to 32 million characters of bodies. */
export class Recorder implements Requests {
  #entries: JournalEntry[] = [];
  #start = 0;
  #characters = 0;
  #ids = 0;
  #count = 0;
  #clears = 0;
  readonly #operations: () => ReadonlySet<string>;

  /** @param operations Returns the identifiers of the known operations; filters reject all others. */
  constructor(operations: () => ReadonlySet<string>) {
    this.#operations = operations;
  }

  get count(): number {
    return this.#count;
  }

  /** Changes with every request, and whenever the journal is cleared. */
  get revision(): number {
    return this.#ids + this.#clears;
  }

  /** Records a request and its response. */
  record(request: AnsweredRequest): void {
    this.#count += 1;
    this.#ids += 1;
    const [text, json] = [keptBody(request.text), keptBody(request.json)];
    this.#characters += (text?.length ?? 0) + (json?.length ?? 0);
    this.#entries.push({
      id: this.#ids,
      at: request.at,
      method: request.method,
      path: request.path,
      query: request.query,
      operation: request.operation,
      versionAsked: request.versionAsked,
      versionUsed: request.versionUsed,
      credential: request.credential,
      headers: sentHeaders(request.headers),
      status: request.status,
      text,
      json,
      fault: request.fault,
      duration: request.duration,
    });
    if (this.#entries.length - this.#start > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) this.#evictOldest();
  }

  list(filter: RequestFilter = {}): readonly RecordedRequest[] {
    return this.entries(filter).map(toRecordedRequest);
  }

  /** Returns the requests that match a filter, or all requests, without parsing their bodies. */
  entries(filter: RequestFilter = {}): readonly JournalEntry[] {
    this.#requireFilter(filter);
    return this.#kept().filter((entry) => matches(entry, filter));
  }

  to(operation: string): readonly RecordedRequest[] {
    return this.list({ operation });
  }

  last(filter: RequestFilter = {}): RecordedRequest | undefined {
    this.#requireFilter(filter);
    const entry = this.#kept().findLast((kept) => matches(kept, filter));
    return entry && toRecordedRequest(entry);
  }

  clear(): void {
    this.#clears += 1;
    this.#entries = [];
    this.#start = 0;
    this.#characters = 0;
    this.#count = 0;
  }

  #requireFilter(filter: RequestFilter): void {
    requireShape("requests", filter, FILTER);
    if (filter.operation === undefined || this.#operations().has(filter.operation)) return;
    throw new TypeError(`requests: ${unknownName("operation", filter.operation, [...this.#operations()])}`);
  }

  #kept(): readonly JournalEntry[] {
    return this.#entries.slice(this.#start);
  }

  /** Clears the oldest entries, but removes them from the array only now and then: to move the others is slow. */
  #evictOldest(): void {
    while (this.#entries.length - this.#start > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      const { text, json } = this.#entries[this.#start] as JournalEntry;
      this.#characters -= (text?.length ?? 0) + (json?.length ?? 0);
      this.#entries[this.#start] = EVICTED;
      this.#start += 1;
    }
    if (this.#start > MAX_ENTRIES) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }
}

const EVICTED = undefined as unknown as JournalEntry;

function matches(entry: JournalEntry, { operation, method, path, status, version }: RequestFilter): boolean {
  return (
    (operation === undefined || entry.operation === operation) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (path === undefined || entry.path === path) &&
    (status === undefined || entry.status === status) &&
    (version === undefined || entry.versionUsed === version)
  );
}

/** Collects the headers of a request and parses its bodies. */
export function toRecordedRequest({ text, json, at, headers, ...entry }: JournalEntry): RecordedRequest {
  const bodies = { body: parseBody(text), answer: parseBody(json) };
  return { ...entry, at: formatTimestamp(at), headers: headersByName(headers), ...bodies };
}

/** Maximum depth of parsed bodies. Deeper ones stay text, because not every program that reads them could walk them. */
const MAX_DEPTH = 200;

function parseBody(text: string | undefined): unknown {
  if (text === undefined || text === "") return null;
  if (isDeeper(text, MAX_DEPTH)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
