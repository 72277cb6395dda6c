/** The minimum time between two lines about progress if the output is not a terminal, in milliseconds. */
const QUIET = 10_000;
/** The maximum memory of a server, in bytes. */
const MOST_MEMORY = 1_500_000_000;

/** Counts requests and violations, and prints the totals. */
export class Report {
  readonly #statuses = new Map<string, number>();
  readonly #violations: string[] = [];
  #part = "start";
  #progressAt = 0;
  #longest = 0;
  #peak = 0;

  /** The number of requests so far. */
  get requests(): number {
    return [...this.#statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  get violations(): number {
    return this.#violations.length;
  }

  /** Starts the next part. */
  begin(name: string): void {
    this.#part = name;
    console.log(name);
  }

  /** Prints a line about progress, but not often unless the output is a terminal. */
  progress(text: string): void {
    if (!process.stdout.isTTY && Date.now() < this.#progressAt + QUIET) return;
    this.#progressAt = Date.now();
    console.log(`  ${text}`);
  }

  /** Counts a request by the status of its response, or by the code of its failure. */
  answered(status: number | string, milliseconds: number): void {
    this.#longest = Math.max(this.#longest, milliseconds);
    this.#statuses.set(String(status), (this.#statuses.get(String(status)) ?? 0) + 1);
    if (typeof status === "number" && status >= 500) this.violation(`status ${status}`);
  }

  /** Records the memory use of the server, in bytes. */
  memory(bytes: number): void {
    if (this.#peak < MOST_MEMORY && bytes >= MOST_MEMORY) this.violation(`the server takes ${bytes} bytes`);
    this.#peak = Math.max(this.#peak, bytes);
  }

  /** Records a violation. Prints the first twenty. */
  violation(what: string): void {
    this.#violations.push(what);
    if (this.#violations.length <= 20) console.log(`  VIOLATION in ${this.#part}: ${what.slice(0, 2_000)}`);
  }

  /** Prints the totals. */
  print(): void {
    console.table(Object.fromEntries([...this.#statuses].sort().map(([status, responses]) => [status, { responses }])));
    const [longest, peak] = [Math.round(this.#longest), Math.round(this.#peak / 1e6)];
    console.log(`requests=${this.requests} violations=${this.violations} longest=${longest}ms memory=${peak}MB`);
  }
}
