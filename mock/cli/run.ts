import { createEngine } from "../api/create-engine.ts";
import { strict } from "../assumptions/strict.ts";
import type { Engine } from "../engine/engine.ts";
import { type MockServer, serve } from "../server/serve.ts";
import type { Command } from "./arguments.ts";
import { UsageError } from "./failure.ts";
import { printReady } from "./ready.ts";
import { seedFrom } from "./seed.ts";
import { stopOnSignal } from "./signals.ts";

/** Starts the server, says so, and stops it when a signal comes. */
export async function run(command: Command): Promise<void> {
  const { seed, seedData, host, port, latency, control, grace, cors, maxEvents } = command;
  const assumptions = { ...(command.strict ? strict : {}), cors };
  const mock = createEngine({ assumptions, maxEvents, seed });
  const tokens = {
    oidc: mock.issueToken({ type: "oidc" }),
    pat: mock.issueToken({ type: "pat" }),
    oat: mock.issueToken(),
  };
  const seeded = seedData === undefined ? [] : seedFrom(seedData, mock);
  mock.checkpoint();
  const server = await listen(mock, { host, port, control, ...(latency === undefined ? {} : { latency }) });
  stopOnSignal(server, grace);
  printReady({ server, command, tokens, seeded });
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

const noHost: Explain = ({ host }) => `--host ${host} is no address of this machine.`;

const FAILURES: Readonly<Record<string, Explain>> = {
  EADDRINUSE: ({ port }) => `port ${port} is taken; choose another with --port, or any that is free with --port 0.`,
  EACCES: ({ port }) => `port ${port} needs more rights than this program has; choose another with --port.`,
  EADDRNOTAVAIL: noHost,
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  EINVAL: noHost,
};
