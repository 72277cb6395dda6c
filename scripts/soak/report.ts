/** The figures of one part of the test. */
interface Part {
  requests: number;
  longest: number;
  peak: number;
}

/** The minimum time between two lines about progress if the output is not a terminal, in milliseconds. */
const QUIET = 10_000;

/** Counts requests and violations, and prints the totals. */
export class Report {
  readonly #parts = new Map<string, Part>();
  readonly #statuses = new Map<string, number>();
  readonly #violations: string[] = [];
  #part = "start";
  #progressAt = 0;
  /** The number of unexpected exits of a server. */
  deaths = 0;

  /** The number of requests so far. */
  get requests(): number {
    return [...this.#parts.values()].reduce((sum, { requests }) => sum + requests, 0);
  }

  get violations(): number {
    return this.#violations.length;
  }

  /** Starts the next part. */
  begin(name: string): void {
    if (!this.#parts.has(name)) console.log(`${clock()}  ${name}`);
    this.#part = name;
  }

  /** Prints a line about progress, but not often unless the output is a terminal. */
  progress(text: string): void {
    if (!process.stdout.isTTY && Date.now() < this.#progressAt + QUIET) return;
    this.#progressAt = Date.now();
    console.log(`          ${text}`);
  }

  /** Counts a request by the status of its response, or by the code of its failure. */
  answered(status: number | string, milliseconds: number): void {
    const part = this.#current();
    part.requests += 1;
    part.longest = Math.max(part.longest, milliseconds);
    this.#statuses.set(String(status), (this.#statuses.get(String(status)) ?? 0) + 1);
    if (typeof status === "number" && status >= 500) this.violation(`status ${status}`);
  }

  /** Records the memory use of the server, in bytes. */
  memory(bytes: number): void {
    const part = this.#current();
    part.peak = Math.max(part.peak, bytes);
  }

  /** Records a violation. Prints the first twenty. */
  violation(what: string): void {
    this.#violations.push(what);
    if (this.#violations.length <= 20) console.log(`${clock()}  VIOLATION in ${this.#part}: ${what.slice(0, 2000)}`);
  }

  /** Prints the totals. */
  print(): void {
    console.table(
      [...this.#parts].map(([part, { requests, longest, peak }]) => ({
        part,
        requests,
        "longest, ms": Math.round(longest),
        "peak memory, MB": Math.round(peak / 1e6),
      })),
    );
    console.table(Object.fromEntries([...this.#statuses].sort().map(([status, answers]) => [status, { answers }])));
    console.log(`requests=${this.requests} violations=${this.violations} restarts=${this.deaths}`);
  }

  #current(): Part {
    const part = this.#parts.get(this.#part) ?? { requests: 0, longest: 0, peak: 0 };
    this.#parts.set(this.#part, part);
    return part;
  }
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}

/** The timeout of a request, in milliseconds. */
const TIMEOUT = 60_000;

/** Sends a request and reports its outcome. Returns undefined if no response arrives. */
export async function call(report: Report, url: string, init: RequestInit = {}): Promise<Response | undefined> {
  const started = performance.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT), ...init });
    const text = await response.text();
    report.answered(response.status, performance.now() - started);
    const { status, headers } = response;
    return new Response(status === 204 ? null : text, { status, headers });
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    report.answered(cause?.code ?? name, performance.now() - started);
    return undefined;
  }
}
