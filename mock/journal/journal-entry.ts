import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { IncomingRequest } from "../http/request.ts";
import type { EncodedResponse } from "../http/response.ts";
import { formatTimestamp } from "../state/clock.ts";
import { isDeeper } from "../validation/parse-body.ts";
import { copyOf, keptBody } from "./kept-body.ts";
import type { RecordedRequest } from "./requests.ts";
import { headersByName, type SentHeaders, sentHeaders } from "./sent-headers.ts";

/** A request and its response, as the engine passes them to the journal. */
export interface AnsweredRequest extends Pick<EncodedResponse, "status" | "json"> {
  readonly context: {
    readonly request: Pick<IncomingRequest, "headers">;
    readonly receivedAt: number;
    readonly method: string;
    readonly path: string;
    readonly search: string;
    readonly versionAsked: string | null;
    readonly contract?: { readonly version: string } | undefined;
    readonly route?: { readonly operation: { readonly id: string } } | undefined;
    readonly credential?: { readonly type: SecuritySchemeName } | undefined;
    readonly text?: string | undefined;
    readonly ignored?: ReadonlySet<string> | undefined;
  };
  readonly fault?: string;
  /** The way in which a fault lost the response. */
  readonly loss?: string;
}

/** A request as it is kept. Its headers are collected and its bodies parsed only when they are read. */
export interface JournalEntry extends Omit<RecordedRequest, "at" | "headers" | "body" | "answer"> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly headers: SentHeaders;
  /** The body of the request; undefined for a request without a body. */
  readonly text: string | undefined;
  /** The body of the response; undefined if it was empty. */
  readonly json: string | undefined;
}

/** Creates the entry of a request. Shares equal headers and paths with the entry before, which saves memory and time. */
export function journalEntry(
  id: number,
  { context, status, json, fault, loss }: AnsweredRequest,
  duration: number,
  before: JournalEntry | undefined,
): JournalEntry {
  return {
    id,
    at: context.receivedAt,
    method: context.method,
    path: before?.path === context.path ? before.path : context.path,
    query: context.search,
    operation: context.route?.operation.id ?? null,
    versionAsked: context.versionAsked,
    versionUsed: context.contract?.version ?? null,
    credential: context.credential?.type ?? null,
    headers: sentHeaders(context.request.headers, before?.headers ?? []),
    status: loss === undefined || loss === "truncated" ? status : null,
    duration,
    text: keptBody(context.text),
    json: keptBody(json),
    fault: fault ?? null,
    ignored: context.ignored?.size ? [...context.ignored].map(keptPath) : NONE,
  };
}

const NONE: readonly string[] = Object.freeze([]);

/** The maximum length of the path of an ignored field. */
const MAX_PATH = 200;

function keptPath(path: string): string {
  return path.length > MAX_PATH ? copyOf(`${path.slice(0, MAX_PATH)}…`) : path;
}

/** Collects the headers of a request and parses its bodies. */
export function toRecordedRequest({ text, json, at, headers, ...entry }: JournalEntry): RecordedRequest {
  const bodies = { body: parseBody(text), answer: parseBody(json) };
  return { ...entry, at: formatTimestamp(at), headers: headersByName(headers), ...bodies };
}

/** Maximum depth of parsed bodies. Deeper ones stay text, because not every program that reads them could walk them. */
const MAX_DEPTH = 200;

/** Matches the secret of a webhook endpoint, also where the rest of the body is cut off. */
const SECRET = /("secret"\s*:\s*")(?:[^"\\]|\\.){1,65536}/g;

function parseBody(body: string | undefined): unknown {
  if (body === undefined || body === "") return null;
  const text = body.replace(SECRET, "$1[redacted]");
  if (isDeeper(text, MAX_DEPTH)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
