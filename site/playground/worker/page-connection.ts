import type { RecordedRequest } from "../../../mock/journal/requests.ts";
import {
  MAX_LINE_LENGTH,
  MAX_LINES,
  MAX_REQUESTS,
  type OutputLine,
  type ProgramError,
  type ResponseMessage,
  type WorkerMessage,
} from "../protocol.ts";
import { formatValues } from "./format-values.ts";

interface PendingRequest {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/** How long the program must be without a request before it counts as finished, in milliseconds. */
const QUIET = 20;

/** Connects a program to the page: its output, its requests, and its end. */
export class PageConnection {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, PendingRequest>();
  #lines = 0;
  #requests = 0;
  #ended = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<ResponseMessage>) => this.#receive(data);
  }

  /** The `fetch` of the program: the mock in the page answers. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    if (this.#requests >= MAX_REQUESTS)
      throw new TypeError(`A program can send at most ${MAX_REQUESTS} requests here.`);
    this.#requests += 1;
    const id = this.#requests;
    const { method, url, headers, signal } = request;
    const body = await request.arrayBuffer();
    return new Promise<Response>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      signal.addEventListener("abort", () => this.#settle(id)?.reject(signal.reason));
      this.#send({ kind: "request", id, method, url, parts: { headers: [...headers], body } });
    });
  };

  /** The `console` of the program. */
  get console(): Partial<Console> {
    const print =
      (level: OutputLine["level"]) =>
      (...values: readonly unknown[]) =>
        this.#print(level, values);
    const log = print("log");
    return { log, info: log, debug: log, table: log, dir: log, trace: log, warn: print("warn"), error: print("error") };
  }

  /** Waits until the program has no request in progress. */
  async idle(): Promise<void> {
    do await new Promise((resolve) => setTimeout(resolve, QUIET));
    while (this.#pending.size > 0);
  }

  /** Reports the end of the program. */
  end(requests: readonly RecordedRequest[], error?: ProgramError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#send({ kind: "end", requests, ...(error && { error }) });
  }

  #print(level: OutputLine["level"], values: readonly unknown[]): void {
    this.#lines += 1;
    if (this.#lines > MAX_LINES) return;
    const text = formatValues(values).slice(0, MAX_LINE_LENGTH);
    this.#send({ kind: "line", line: { level, text } });
    if (this.#lines < MAX_LINES) return;
    this.#send({ kind: "line", line: { level: "warn", text: `Only the first ${MAX_LINES} lines are shown.` } });
  }

  #receive({ id, status, parts, error }: ResponseMessage): void {
    const pending = this.#settle(id);
    if (!parts) {
      pending?.reject(new TypeError(error));
      return;
    }
    const hasBody = ![204, 205, 304].includes(status);
    const headers = parts.headers.map(([name, value]): [string, string] => [name, value]);
    pending?.resolve(new Response(hasBody ? parts.body : null, { status, headers }));
  }

  #settle(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #send(message: WorkerMessage): void {
    this.#port.postMessage(message);
  }
}
