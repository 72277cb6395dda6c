/** Measures one case of bench/client.ts in its own process: `node client-process.ts <case> <base URL>`. */
import { VERSION as CURRENT } from "#current/names";
import { type CreateOnce, cases } from "./client-cases.ts";
import { scaled } from "./harness.ts";

const WARM_UP = scaled(500);
const SEQUENTIAL = scaled(2_000);
const CONCURRENT = scaled(6_000);
const LANES = 64;

const [name = "", baseUrl = ""] = process.argv.slice(2);
const make = await cases[name]?.();
if (make === undefined) throw new Error(`unknown case "${name}"`);
const values = await measure(make(baseUrl));
process.stdout.write(JSON.stringify(values), () => process.exit());

/** Returns calls per second and microseconds of processor time per call, one call at a time and then many at once. */
async function measure(call: CreateOnce): Promise<readonly number[]> {
  await requireEndpoint(call);
  await inLanes(call, WARM_UP, 1);
  const sequential = await speedOf(call, SEQUENTIAL, 1);
  await inLanes(call, WARM_UP, LANES);
  return [...sequential, ...(await speedOf(call, CONCURRENT, LANES))];
}

async function requireEndpoint(call: CreateOnce): Promise<void> {
  const endpoint = (await call()) as { readonly api_version?: unknown };
  if (endpoint?.api_version !== CURRENT) throw new Error(`${name} returned ${JSON.stringify(endpoint)}`);
}

async function speedOf(call: CreateOnce, count: number, lanes: number): Promise<readonly number[]> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await inLanes(call, count, lanes);
  const { user, system } = process.cpuUsage(before);
  return [(count * 1000) / (performance.now() - started), (user + system) / count];
}

async function inLanes(call: CreateOnce, count: number, lanes: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
