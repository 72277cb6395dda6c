/** Measures one case of bench/client.ts in a process of its own: `node client-process.ts <case> <base URL>`. */
import { cases, type ReadOnce } from "./client-cases.ts";

const WARM_UP = 500;
const SEQUENTIAL = 2_000;
const CONCURRENT = 6_000;
const LANES = 64;

/** The speed of one kind of use. */
export interface Speed {
  readonly perSecond: number;
  /** The processor time of a call in microseconds, which depends less on what else the machine does. */
  readonly processor: number;
}

/** The result of one process. */
export interface Speeds {
  readonly sequential: Speed;
  readonly concurrent: Speed;
}

const [name = "", baseUrl = ""] = process.argv.slice(2);
const make = await cases[name]?.();
if (make === undefined) throw new Error(`unknown case "${name}"`);
const speeds = await measure(make(baseUrl));
process.stdout.write(JSON.stringify(speeds), () => process.exit());

async function measure(call: ReadOnce): Promise<Speeds> {
  await requireEndpoint(call);
  await inSequence(call, WARM_UP);
  const sequential = await speedOf(SEQUENTIAL, () => inSequence(call, SEQUENTIAL));
  await inLanes(call, WARM_UP);
  return { sequential, concurrent: await speedOf(CONCURRENT, () => inLanes(call, CONCURRENT)) };
}

async function requireEndpoint(call: ReadOnce): Promise<void> {
  const endpoint = (await call()) as { readonly api_version?: unknown };
  if (endpoint?.api_version !== "2025-01") throw new Error(`${name} returned ${JSON.stringify(endpoint)}`);
}

async function speedOf(count: number, run: () => Promise<void>): Promise<Speed> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (count * 1000) / (performance.now() - started), processor: (user + system) / count };
}

async function inSequence(call: ReadOnce, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await call();
}

async function inLanes(call: ReadOnce, count: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
