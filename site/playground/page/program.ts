import { expose } from "comlink";
import type { OutputLine, ProgramError, ProgramHost, StartMessage } from "../worker/protocol.ts";
import { BlockedRequestError, type Exchange, type MockSession } from "./session.ts";

/** Maximum number of a program's requests that the page shows. */
const MAX_SHOWN_REQUESTS = 50;
/** Time limit for a program, in milliseconds. */
export const TIME_LIMIT = 10_000;

/** A program's request to the page's mock, or to a blocked host. */
export type ProgramRequest = Exchange | { readonly method: string; readonly url: string; readonly blocked: string };

/** The end of a program. */
export interface ProgramEnd {
  readonly outcome: "finished" | "failed" | "stopped" | "timed out";
  readonly error?: ProgramError | undefined;
}

export interface ProgramOptions extends StartMessage {
  readonly session: MockSession;
  readonly onLine: (line: OutputLine) => void;
  readonly onRequest: (request: ProgramRequest) => void;
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
  const { code, env, onLine } = options;
  const frame = document.createElement("iframe");
  const { port1, port2 } = new MessageChannel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<ProgramEnd>((resolve) => {
    stop.addEventListener("abort", () => resolve({ outcome: "stopped" }));
    timer = setTimeout(() => resolve({ outcome: "timed out" }), TIME_LIMIT);
    const end: ProgramHost["end"] = (error) => resolve({ outcome: error ? "failed" : "finished", error });
    expose({ print: onLine, end, fetch: fetchFor(options) } satisfies ProgramHost, port1);
  });
  try {
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    Object.assign(frame, { hidden: true, srcdoc: FRAME, title: "Program" });
    document.body.append(frame);
    const [script] = await Promise.all([loadScript(new URL("worker.js", import.meta.url)), loaded]);
    const start: StartMessage = { code, env };
    frame.contentWindow?.postMessage({ script, start }, "*", [port2]);
    return await ended;
  } catch (error) {
    return { outcome: "failed", error: { text: (error as Error).message } };
  } finally {
    clearTimeout(timer);
    frame.remove();
    port1.close();
  }
}

async function loadScript(url: URL): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the response has the status ${response.status}. Reload the page.`);
  return response.text();
}

/** Returns a function that responds to a program's requests, and reports the first ones. */
function fetchFor({ session, onRequest }: ProgramOptions): ProgramHost["fetch"] {
  let count = 0;
  const report: typeof onRequest = (request) => {
    count += 1;
    if (count <= MAX_SHOWN_REQUESTS) onRequest(request);
  };
  return async ({ method, url, headers, body }) => {
    try {
      const exchange = await session.fetch(new Request(url, { method, headers, ...(body !== "" && { body }) }));
      report(exchange);
      return exchange.response;
    } catch (error) {
      if (error instanceof BlockedRequestError) report({ method, url, blocked: error.host });
      throw error;
    }
  };
}

const ENDS = {
  finished: "The program finished.",
  stopped: "The program was stopped.",
  "timed out": `The program was stopped after ${TIME_LIMIT / 1000} seconds.`,
};

/** Describes how a program ended. */
export function describeEnd({ outcome, error }: ProgramEnd): string {
  if (outcome !== "failed") return ENDS[outcome];
  return `${error?.line === undefined ? "" : `Line ${error.line}: `}${error?.text}`;
}
