// A process that adds usage events to a buffer and sends them, for tests that kill it. This file is also its program.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createClient as createRedisClient } from "redis";
import { createClient } from "#current";
import { createEventBuffer, isEventBufferError, isOutboxError, type Outbox } from "../../src/usage/index.ts";
import { postgresOutbox } from "../../src/usage/postgres.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";

/** What a process adds, and where it sends it. */
export interface Assignment {
  /** The path of an SQLite file, or the URL of Redis or Postgres. */
  readonly storage: string;
  readonly baseUrl: string;
  readonly accessToken: string;
  /** The events are `<name>-0`, `<name>-1` and so on. */
  readonly name: string;
  /** The number of events to add before the process only sends. Unlimited by default. */
  readonly total?: number;
  /** The timeout of a request in milliseconds. Defaults to 500. */
  readonly timeout?: number;
  /** Whether the service rejects some events, and the function that takes them over fails every other time. */
  readonly hasRejections?: boolean;
}

interface Message {
  /** The number of events that will have been added after the current group. */
  readonly begun?: number;
  /** The number of events whose `add` has resolved. */
  readonly added?: number;
  /** The ids of rejected events that were handed over. */
  readonly handedOver?: readonly string[];
  readonly warning?: string;
}

/** A process that can be killed and started again. */
export class UsageProcess {
  /** The number of events that were passed to `add`. */
  begun = 0;
  /** The number of events whose `add` has resolved, in all runs. */
  added = 0;
  /** The ids of rejected events that were handed over; one may be there twice. */
  readonly handedOver: string[] = [];
  /** The warnings of the buffer. */
  readonly warnings = new Set<string>();
  readonly #assignment: Assignment;
  #process: ChildProcess;

  constructor(assignment: Assignment) {
    this.#assignment = assignment;
    this.#process = this.#start();
  }

  /** The ids of the events whose `add` has resolved. */
  get ids(): readonly string[] {
    return Array.from({ length: this.added }, (_, index) => `${this.#assignment.name}-${index}`);
  }

  /** Kills the process (SIGKILL), unless it has ended. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exited;
  }

  /** Kills the process, and starts another one that continues. */
  async restart(): Promise<void> {
    await this.kill();
    this.#process = this.#start();
  }

  /** Stops the process for some milliseconds. */
  async stall(duration: number): Promise<void> {
    const stopped = this.#process;
    stopped.kill("SIGSTOP");
    await sleep(duration);
    stopped.kill("SIGCONT");
  }

  /** Lets the process send what is left, and waits until it has ended. Rejects if it fails. */
  async drain(): Promise<void> {
    const ended = Promise.all([once(this.#process, "exit"), once(this.#process, "disconnect")]);
    this.#process.send("drain");
    const [[code]] = await ended;
    if (code !== 0) throw new Error(`A process that adds usage events ended with ${code}.`);
  }

  #start(): ChildProcess {
    const assignment = { ...this.#assignment, from: this.added };
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(assignment)], { execArgv: [] });
    child.on("message", ({ begun, added, handedOver = [], warning }: Message) => {
      this.begun = begun ?? this.begun;
      this.added = added ?? this.added;
      this.handedOver.push(...handedOver);
      if (warning !== undefined) this.warnings.add(warning);
    });
    return child;
  }
}

const GROUP = 50;

async function main(assignment: Assignment & { readonly from: number }): Promise<void> {
  const { storage, baseUrl, accessToken, name, from, total = Number.POSITIVE_INFINITY, timeout = 500 } = assignment;
  const { hasRejections = false } = assignment;
  const tell = (message: Message) => new Promise((resolve) => process.send?.(message, resolve));
  const exit = () => process.exit(1);
  process.once("disconnect", exit);
  let isDraining = false;
  process.once("message", () => {
    isDraining = true;
  });
  const { outbox, close } = await openOutbox(storage);
  const usage = createEventBuffer(createClient({ baseUrl, accessToken, timeout, logLevel: "off" }), {
    outbox,
    maxBatchEvents: 250,
    maxQueued: 5_000,
    maxDelay: 20,
    minRetryDelay: 5,
    maxRetryDelay: 200,
    logger: { debug: () => {}, warn: (warning) => void tell({ warning }) },
    logLevel: "warn",
    onRejected: (rejected) => {
      if (hasRejections && Math.random() < 0.5) throw new Error("The function fails.");
      return tell({ handedOver: rejected.map(({ event }) => String(event.external_id)) });
    },
  });
  for (let next = from; next < total && !isDraining; next += GROUP) {
    const added = Math.min(next + GROUP, total);
    void tell({ begun: added });
    const numbers = Array.from({ length: added - next }, (_, index) => next + index);
    await Promise.all(
      numbers.map((number) =>
        untilAvailable(() => usage.add(eventOf(`${name}-${number}`, hasRejections && number % 100 === 0))),
      ),
    );
    void tell({ added });
  }
  while (!isDraining) await sleep(20);
  const isEmpty = async () => (await usage.stats()).queued === 0;
  // `flush` rejects after two responses in a row such as 401.
  while (!(await untilAvailable(isEmpty))) await usage.flush().catch(() => sleep(20));
  await usage.close();
  close();
  process.removeListener("disconnect", exit);
  process.disconnect();
}

function eventOf(external_id: string, isInvalid: boolean) {
  const customer = isInvalid ? { customer_id: "acme" } : { external_customer_id: "acme" };
  return { name: "api.call", ...customer, external_id, metadata: { tokens: 100 } };
}

const LEASES = { leaseDuration: 2_000, pollInterval: 100 };

async function openOutbox(storage: string): Promise<{ outbox: Outbox; close(): void }> {
  if (storage.startsWith("postgres:")) {
    const pool = new pg.Pool({ connectionString: storage }).on("error", () => undefined);
    return { outbox: postgresOutbox(pool, LEASES), close: () => void pool.end() };
  }
  if (!storage.startsWith("redis:")) return { outbox: sqliteOutbox(storage), close: () => undefined };
  const client = createRedisClient({ url: storage }).on("error", () => undefined);
  await client.connect();
  return { outbox: redisOutbox(client, LEASES), close: () => client.destroy() };
}

/**
 * Calls a function again while the outbox fails, or the buffer is full. An event keeps its id, so that the service stores it
 * once.
 */
async function untilAvailable<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isOutboxError(error) && !(isEventBufferError(error) && error.reason === "full")) throw error;
      await sleep(20);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(JSON.parse(process.argv[2] as string));
