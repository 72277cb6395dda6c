import type { RecordedRequest } from "../../../../mock/journal/requests.ts";
import { findImports, lineAt, lineOfSyntaxError } from "../../find-imports.ts";
import {
  MAX_LINES,
  type OutputLine,
  type ProgramError,
  type ResponseMessage,
  type StartMessage,
  type WorkerMessage,
} from "../../protocol.ts";

/** How long a program may run, in milliseconds. */
export const TIME_LIMIT = 10_000;

/** What a program depends on. */
export interface ProgramOptions {
  readonly code: string;
  readonly env: StartMessage["env"];
  /** What the program can import. */
  readonly importPaths: readonly string[];
  /** The URL of the worker's script. */
  readonly script: string;
  /** Answers the requests of the program. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly onLine: (line: OutputLine) => void;
}

/** The end of a program. */
export interface ProgramEnd {
  readonly outcome: "finished" | "failed" | "stopped" | "timed out";
  readonly error?: ProgramError | undefined;
  /** The requests to mocks that the program created. */
  readonly requests: readonly RecordedRequest[];
}

/** Runs a program in a worker, so that it can be stopped at any time and has no access to the page. */
export class ProgramRun {
  readonly ended: Promise<ProgramEnd>;
  readonly #options: ProgramOptions;
  #finish: (end: ProgramEnd) => void = () => {};
  #lines = 0;

  constructor(options: ProgramOptions) {
    this.#options = options;
    const ended = new Promise<ProgramEnd>((resolve) => {
      this.#finish = resolve;
    });
    const error = importError(options);
    if (error) this.#finish({ outcome: "failed", error, requests: [] });
    this.ended = error ? ended : this.#start(ended);
  }

  /** Stops the program, also in the middle of a loop. */
  stop(outcome: "stopped" | "timed out" = "stopped"): void {
    this.#finish({ outcome, requests: [] });
  }

  async #start(ended: Promise<ProgramEnd>): Promise<ProgramEnd> {
    const { code, env, script } = this.#options;
    // A worker from a blob has the content security policy of the page.
    const url = URL.createObjectURL(
      new Blob([`importScripts(${JSON.stringify(script)})`], { type: "text/javascript" }),
    );
    const worker = new Worker(url);
    const timer = setTimeout(() => this.stop("timed out"), TIME_LIMIT);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#receive(data, port1);
    worker.onerror = ({ message }) => this.#fail({ name: "Error", message });
    const message: StartMessage = { code, env, imports: findImports(code) };
    worker.postMessage(message, [port2]);
    try {
      return await ended;
    } finally {
      clearTimeout(timer);
      worker.terminate();
      port1.close();
      URL.revokeObjectURL(url);
    }
  }

  #receive(message: WorkerMessage, port: MessagePort): void {
    if (message.kind === "line") this.#print(message.line);
    else if (message.kind === "request") void this.#answer(message, port);
    else if (message.error) this.#fail(message.error, message.requests);
    else this.#finish({ outcome: "finished", requests: message.requests });
  }

  #print(line: OutputLine): void {
    this.#lines += 1;
    if (this.#lines <= MAX_LINES + 1) this.#options.onLine(line);
  }

  #fail(error: ProgramError, requests: readonly RecordedRequest[] = []): void {
    const line = error.line ?? (error.name === "SyntaxError" ? lineOfSyntaxError(this.#options.code) : undefined);
    this.#finish({ outcome: "failed", error: { ...error, line }, requests });
  }

  async #answer({ id, method, url, parts }: WorkerMessage & { kind: "request" }, port: MessagePort): Promise<void> {
    const headers = parts.headers.map(([name, value]): [string, string] => [name, value]);
    const body = parts.body.byteLength > 0 && method !== "GET" && method !== "HEAD" ? { body: parts.body } : {};
    const reply = (message: ResponseMessage) => port.postMessage(message);
    try {
      const response = await this.#options.fetch(new Request(url, { method, headers, ...body }));
      const received = { headers: [...response.headers], body: await response.arrayBuffer() };
      reply({ id, status: response.status, parts: received });
    } catch (error) {
      reply({ id, status: 0, error: (error as Error).message });
    }
  }
}

/** Returns an error for the first import that is not available. */
function importError({ code, importPaths }: ProgramOptions): ProgramError | undefined {
  const unknown = findImports(code).find(({ name }) => !importPaths.includes(name));
  if (!unknown) return undefined;
  const message = `Programs here cannot import "${unknown.name}". Available: ${importPaths.join(", ")}.`;
  return { name: "ImportError", message, line: lineAt(code, unknown.from) };
}

/** Describes how a program ended. */
export function describeEnd({ outcome, error }: ProgramEnd): string {
  if (outcome === "finished") return "The program finished.";
  if (outcome === "stopped") return "The program was stopped.";
  if (outcome === "timed out") return `The program was stopped after ${TIME_LIMIT / 1000} seconds.`;
  const place = error?.line === undefined ? "" : `Line ${error.line}: `;
  return `The program failed. ${place}${error?.name}: ${error?.message}`;
}
