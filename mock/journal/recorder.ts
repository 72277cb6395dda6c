import { integer, text } from "../options/field-kinds.ts";
import { type FieldKind, requireShape, unknownName } from "../options/shape.ts";
import { type AnsweredRequest, type JournalEntry, journalEntry, toRecordedRequest } from "./journal-entry.ts";
import type { RecordedRequest, RequestFilter, Requests } from "./requests.ts";

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

  /** Is called for each request with ignored fields. */
  onIgnored: ((entry: JournalEntry) => void) | undefined;

  /**
   * Records a request and its response.
   *
   * @param duration The time until the response, in milliseconds.
   */
  record(answered: AnsweredRequest, duration: number): void {
    this.#count += 1;
    this.#ids += 1;
    const entry = journalEntry(this.#ids, answered, duration, this.#entries.at(-1));
    this.#characters += charactersOf(entry);
    this.#entries.push(entry);
    if (entry.ignored.length > 0) this.onIgnored?.(entry);
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
      this.#characters -= charactersOf(this.#entries[this.#start] as JournalEntry);
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

function charactersOf({ text, json }: JournalEntry): number {
  return (text?.length ?? 0) + (json?.length ?? 0);
}

function matches(entry: JournalEntry, { operation, method, path, status, version }: RequestFilter): boolean {
  return (
    (operation === undefined || entry.operation === operation) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (path === undefined || entry.path === path) &&
    (status === undefined || entry.status === status) &&
    (version === undefined || entry.versionUsed === version)
  );
}
