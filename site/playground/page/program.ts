import { expose } from "comlink";
import type { RecordedRequest } from "../../../mock/journal/requests.ts";
import {
  MAX_LINES,
  type OutputLine,
  type ProgramError,
  type ProgramHost,
  type StartMessage,
} from "../worker/protocol.ts";
import { BlockedRequestError, type MockSession } from "./session.ts";

/** Maximum number of a program's requests that the page shows. */
const MAX_SHOWN_REQUESTS = 50;
/** Time limit for a program, in milliseconds. */
export const TIME_LIMIT = 10_000;

/** A program's request, to the page's mock or to a blocked host. */
export interface ProgramRequest
  extends Pick<RecordedRequest, "method" | "path" | "query" | "status" | "versionUsed" | "body" | "answer"> {
  /** The host of a blocked request. */
  readonly blocked?: string;
}

/** The end of a program. */
export interface ProgramEnd {
  readonly outcome: "finished" | "failed" | "stopped" | "timed out";
  readonly error?: ProgramError | undefined;
  readonly requests: readonly ProgramRequest[];
}

export interface ProgramOptions extends StartMessage {
  readonly session: MockSession;
  /** The URL of the worker's script. */
  readonly workerUrl: string;
  readonly onLine: (line: OutputLine) => void;
}

/**
 * Starts a worker in a frame: the frame's policy, which the worker inherits, allows no requests. Removing the frame ends the
 * program, even in the middle of a loop. The frame has the page's origin, because the worker otherwise lacks `crypto.subtle`,
 * which verifies webhooks.
 */
const FRAME = `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:">
<script>addEventListener("message", ({ data, ports }) => {
  const blob = new Blob([data.script], { type: "text/javascript" });
  new Worker(URL.createObjectURL(blob)).postMessage(data.start, ports);
}, { once: true });</script>`;

/** Runs a program until it ends, is stopped, or runs for too long. */
export async function runProgram(options: ProgramOptions, stop: AbortSignal): Promise<ProgramEnd> {
  const { session, code, env, onLine } = options;
  const blocked: ProgramRequest[] = [];
  const first = session.mock.requests.count;
  const frame = document.createElement("iframe");
  const { port1, port2 } = new MessageChannel();
  const ended = new Promise<ProgramEnd>((resolve) => {
    const outcome = () => (stop.reason === "timed out" ? "timed out" : "stopped");
    stop.addEventListener("abort", () => resolve({ outcome: outcome(), requests: [] }));
    const end: ProgramHost["end"] = (error) => resolve({ outcome: error ? "failed" : "finished", error, requests: [] });
    expose({ print: onLine, end, fetch: fetchFor(session, blocked) } satisfies ProgramHost, port1);
  });
  try {
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    Object.assign(frame, { hidden: true, srcdoc: FRAME, title: "Program" });
    document.body.append(frame);
    const [script] = await Promise.all([loadScript(options.workerUrl), loaded]);
    const start: StartMessage = { code, env };
    frame.contentWindow?.postMessage({ script, start }, "*", [port2]);
    const end = await ended;
    return { ...end, requests: [...requestsSince(session, first), ...blocked] };
  } catch (error) {
    return { outcome: "failed", error: { text: (error as Error).message }, requests: [] };
  } finally {
    frame.remove();
    port1.close();
  }
}

async function loadScript(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the response has the status ${response.status}. Reload the page.`);
  return response.text();
}

/** Returns a function that responds to a program's requests and records blocked ones. */
function fetchFor(session: MockSession, blocked: ProgramRequest[]): ProgramHost["fetch"] {
  return async ({ method, url, headers, body }) => {
    try {
      const request = new Request(url, { method, headers, ...(body.byteLength > 0 && { body }) });
      const response = await session.fetch(request);
      return { status: response.status, headers: [...response.headers], body: await response.arrayBuffer() };
    } catch (error) {
      const none = { query: "", status: null, versionUsed: null, body: null, answer: null };
      if (error instanceof BlockedRequestError && blocked.length < MAX_SHOWN_REQUESTS)
        blocked.push({ ...none, method, path: url, blocked: error.host });
      throw error;
    }
  };
}

/** Returns the requests to the page's mock after the first `first`. */
function requestsSince({ mock: { requests } }: MockSession, first: number): readonly ProgramRequest[] {
  const added = requests.count - first;
  return added > 0 ? requests.list().slice(-added).slice(-MAX_SHOWN_REQUESTS) : [];
}

/** Describes how a program ended. */
export function describeEnd({ outcome, error }: ProgramEnd): string {
  if (outcome === "finished") return "The program finished.";
  if (outcome === "stopped") return "The program was stopped.";
  if (outcome === "timed out") return `The program was stopped after ${TIME_LIMIT / 1000} seconds.`;
  return `${error?.line === undefined ? "" : `Line ${error.line}: `}${error?.text}`;
}

/** The maximum number of lines that the page shows, with the line that says so. */
export const SHOWN_LINES: number = MAX_LINES + 1;
