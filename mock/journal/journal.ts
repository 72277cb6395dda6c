import { formatTimestamp } from "../clock/clock.ts";
import type { EncodedResponse } from "../http/response.ts";
import { isSecret, redactSecrets } from "../http/secrets.ts";
import type { RequestContext } from "../operations/operation.ts";
import { type FieldType, integer, omitUndefined, requireShape, SECRET, text, unknownName } from "../options/options.ts";
import { isTooDeep } from "../validation/parse-body.ts";
import type { RecordedRequest, RequestFilter } from "./requests.ts";

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
    while (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= (this.#entries.shift() as JournalEntry).characters;
    }
  }

  /** Returns the requests that match a filter, or all requests, without parsing their bodies. */
  entries(filter: RequestFilter<string> = {}): readonly JournalEntry[] {
    requireShape("requests", filter, FILTER);
    const { method, version: versionUsed, ...fields } = filter;
    const { operation } = fields;
    if (operation !== undefined && !this.#operations().has(operation)) {
      throw new TypeError(`requests: ${unknownName("operation", operation, [...this.#operations()])}`);
    }
    const wanted = Object.entries(omitUndefined({ ...fields, method: method?.toUpperCase(), versionUsed }));
    return this.#entries.filter((entry) =>
      wanted.every(([name, value]) => entry[name as keyof JournalEntry] === value),
    );
  }

  clear(): void {
    this.#clears += 1;
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
  const [text, kept] = [keptBody(context.text), keptBody(body)];
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
    json: kept,
    sent: isAnswered ? finished.headers : {},
    characters: [text ?? "", kept ?? "", ...Object.values(headers), ...ignored].reduce(
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

/** Matches the secret of a webhook endpoint, also where the rest of the body is cut off. */
const SECRET_FIELD = /("secret"\s*:\s*")(?:[^"\\]|\\.){1,65536}/g;

/** Matches bodies that may have another secret: one that is not a plain string, a webhook secret, a URL, or an escaped one. */
const MAY_HAVE_SECRET = /"secret"|whsec_|https?:|\\u00/i;

function redact(name: string, value: unknown): unknown {
  if (name === "secret" && value !== null) return "[redacted]";
  return typeof value === "string" ? redactSecrets(value) : value;
}

function parseBody(body: string | undefined): unknown {
  if (body === undefined || body === "") return null;
  const text = body.replace(SECRET_FIELD, "$1[redacted]");
  try {
    // A function that is called for each field makes parsing slow; few bodies need it.
    const value: unknown = JSON.parse(text, MAY_HAVE_SECRET.test(text) ? redact : undefined);
    // Not every program that reads the journal could walk a deeper body.
    return isTooDeep(value) ? redactSecrets(text) : value;
  } catch {
    return redactSecrets(text);
  }
}

/** Returns headers by their lower-case names, without credentials. */
function withoutSecrets(headers: Iterable<readonly [name: string, value: string]>): Readonly<Record<string, string>> {
  const kept = Array.from(headers, ([name, value]) => [name.toLowerCase(), value] as const);
  return Object.freeze(Object.fromEntries(kept.filter(([name]) => !SECRET.test(name))));
}

/** Maximum length of a body that is kept. Parsing a longer one would keep other requests waiting. */
const MAX_BODY_CHARACTERS = 1024 * 1024;

/** Returns what the journal keeps of a body: the body itself, or the length of a very long one. */
function keptBody(text: string | undefined): string | undefined {
  return text === undefined || text.length <= MAX_BODY_CHARACTERS ? text : `(${text.length} characters)`;
}
