import { integer, text } from "../options/field-kinds.ts";
import { type FieldKind, requireShape } from "../options/shape.ts";
import { timestamp } from "../state/clock.ts";
import { isDeeper } from "../validation/depth.ts";
import type { HandledRequest } from "./handled-request.ts";
import type { RecordedRequest, RequestFilter, Requests } from "./journal.ts";
import { sentHeaders } from "./sent-headers.ts";

/** A request as it is kept: its bodies are parsed when somebody looks. */
interface Entry extends Omit<RecordedRequest, "at" | "body" | "answer" | "duration"> {
  readonly at: number;
  readonly text: string | undefined;
  readonly json: string | undefined;
  readonly duration: number;
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

/** Keeps the newest requests, in bounded memory: a thousand of them, and 32 million characters of bodies. */
export class Recorder implements Requests {
  #entries: Entry[] = [];
  #start = 0;
  #characters = 0;
  #ids = 0;
  #count = 0;
  #clears = 0;
  readonly #operations: () => ReadonlySet<string>;

  /** @param operations The identifiers that there are: whoever looks for another one would never find a request. */
  constructor(operations: () => ReadonlySet<string>) {
    this.#operations = operations;
  }

  get count(): number {
    return this.#count;
  }

  /** Another number after every request, and after every time that the journal was emptied. */
  get revision(): number {
    return this.#ids + this.#clears;
  }

  /** Keeps a request and its answer. */
  record({ context, status, json, fault, loss }: HandledRequest, duration: number): void {
    this.#count += 1;
    this.#ids += 1;
    this.#characters += (context.text?.length ?? 0) + (json?.length ?? 0);
    this.#entries.push({
      id: this.#ids,
      at: context.receivedAt,
      method: context.method,
      path: context.path,
      query: context.search,
      operation: context.route?.operation.id ?? null,
      versionAsked: context.versionAsked,
      versionUsed: context.contract?.version ?? null,
      credential: context.credential?.type ?? null,
      headers: sentHeaders(context.request.headers.entries()),
      status: loss === undefined || loss === "truncated" ? status : null,
      text: context.text,
      json,
      fault: fault ?? null,
      duration,
    });
    if (this.#entries.length - this.#start > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) this.#forgetOldest();
  }

  list(filter: RequestFilter = {}): readonly RecordedRequest[] {
    this.#check(filter);
    return this.#kept()
      .filter((entry) => fits(entry, filter))
      .map(shown);
  }

  to(operation: string): readonly RecordedRequest[] {
    return this.list({ operation });
  }

  last(filter: RequestFilter = {}): RecordedRequest | undefined {
    this.#check(filter);
    const entry = this.#kept().findLast((kept) => fits(kept, filter));
    return entry && shown(entry);
  }

  clear(): void {
    this.#clears += 1;
    this.#entries = [];
    this.#start = 0;
    this.#characters = 0;
    this.#count = 0;
  }

  #check(filter: RequestFilter): void {
    requireShape("requests", filter, FILTER);
    if (filter.operation === undefined || this.#operations().has(filter.operation)) return;
    const known = [...this.#operations()].join(", ");
    throw new TypeError(`requests: there is no operation "${filter.operation}"; there are ${known}.`);
  }

  #kept(): readonly Entry[] {
    return this.#entries.slice(this.#start);
  }

  /** The oldest are passed over, and given up in one go now and then: moving a thousand entries each time is slow. */
  #forgetOldest(): void {
    while (this.#entries.length - this.#start > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      const { text, json } = this.#entries[this.#start] as Entry;
      this.#characters -= (text?.length ?? 0) + (json?.length ?? 0);
      this.#entries[this.#start] = GONE;
      this.#start += 1;
    }
    if (this.#start > MAX_ENTRIES) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }
}

const GONE = undefined as unknown as Entry;

function fits(entry: Entry, { operation, method, path, status, version }: RequestFilter): boolean {
  return (
    (operation === undefined || entry.operation === operation) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (path === undefined || entry.path === path) &&
    (status === undefined || entry.status === status) &&
    (version === undefined || entry.versionUsed === version)
  );
}

function shown({ text, json, at, ...entry }: Entry): RecordedRequest {
  return { ...entry, at: timestamp(at), body: parsed(text), answer: parsed(json) };
}

/** What is nested deeper is kept as text: not every program that reads the journal could walk through it. */
const READABLE_DEPTH = 200;

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === "") return null;
  if (isDeeper(text, READABLE_DEPTH)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
