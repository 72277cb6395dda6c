import { UsageError } from "../../terminal/usage-error.ts";
import { createEngine } from "../api/create-engine.ts";
import { strict } from "../assumptions/strict.ts";
import type { Engine } from "../engine/engine.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { type MockServer, serve } from "../server/serve.ts";
import { loadAssumptions } from "./load-assumptions.ts";
import { loadSeedFile } from "./load-seed-file.ts";
import { printReady } from "./print-ready.ts";
import type { Command } from "./read-arguments.ts";
import { stopOnSignal } from "./stop-on-signal.ts";

/**
 * Starts the server, prints where it listens, and stops it on a signal.
 *
 * @throws UsageError when the host or the port cannot be used, or the seed file is invalid.
 */
export async function run(command: Command): Promise<void> {
  const { seed, seedData, host, port, latency, control, grace, cors, maxEvents, maxEventBytes } = command;
  const given = command.assumptions === undefined ? {} : loadAssumptions(command.assumptions);
  const assumptions = { ...(command.strict ? strict : {}), ...given, ...(cors && { cors }) };
  const now = command.now === undefined ? undefined : runningFrom(command.now);
  const mock = createEngine({ assumptions, maxEvents, maxEventBytes, seed, now });
  mock.requests.onIgnored = printIgnored;
  const tokens = {
    oidc: mock.issueToken({ type: "oidc" }),
    pat: mock.issueToken({ type: "pat" }),
    oat: mock.issueToken(),
  };
  const seeded = seedData === undefined ? [] : loadSeedFile(seedData, mock);
  mock.checkpoint();
  const server = await listen(mock, { host, port, control, ...(latency === undefined ? {} : { latency }) });
  stopOnSignal(server, grace, process.env);
  const isRead = await printReady({ server, command, tokens, seeded }).catch(async (error: unknown) => {
    await server.close({ grace: 0 });
    throw error;
  });
  if (!isRead) process.exit();
}

/** The ignored fields that were printed, at most this many. */
const printed = new Set<string>();
const MAX_PRINTED = 100;

/** Prints each ignored field of an operation once, without control characters. */
function printIgnored({ operation, ignored }: Pick<JournalEntry, "operation" | "ignored">): void {
  for (const path of ignored) {
    const line = `billing-mock: ${operation} ignored the unknown field ${path}`.replaceAll(/\p{Cc}/gu, " ");
    if (printed.has(line) || printed.size === MAX_PRINTED) continue;
    printed.add(line);
    process.stderr.write(`${line}\n`);
  }
}

/** Returns a clock that starts at a time and runs on. */
function runningFrom(start: number): () => number {
  const difference = start - Date.now();
  return () => Date.now() + difference;
}

async function listen(mock: Engine, options: Parameters<typeof serve>[1]): Promise<MockServer> {
  try {
    return await serve(mock, options);
  } catch (error) {
    const explain = FAILURES[(error as NodeJS.ErrnoException).code ?? ""];
    throw explain ? new UsageError(explain(options)) : error;
  }
}

type Explain = (options: Parameters<typeof serve>[1]) => string;

const unknownHost: Explain = ({ host }) => `--host ${host} is not an address of this machine.`;

const FAILURES: Readonly<Record<string, Explain>> = {
  EADDRINUSE: ({ port }) => `port ${port} is already in use; choose another with --port, or a free one with --port 0.`,
  EACCES: ({ port }) => `permission denied for port ${port}; choose another with --port.`,
  EADDRNOTAVAIL: unknownHost,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EINVAL: unknownHost,
};
