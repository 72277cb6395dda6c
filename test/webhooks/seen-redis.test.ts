import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type SignedWebhook, signWebhook } from "../../versions/2025-01/webhooks.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { order, secret } from "./signed.ts";

const program = fileURLToPath(new URL("receiver-process.ts", import.meta.url));

async function startTwo() {
  const redis = await startRedis();
  const start = async () => {
    const child = spawn(process.execPath, [program, secret, redis.url], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [port] = await once(child.stdout, "data");
    return { url: `http://127.0.0.1:${String(port).trim()}`, child };
  };
  return Promise.all([start(), start()]);
}

/** Delivers an event, and again after every failure, as the service does. Returns the statuses; 0 means no response. */
async function deliver(url: string, delivery: SignedWebhook): Promise<number[]> {
  const statuses: number[] = [];
  for (const deadline = Date.now() + 20_000; statuses.at(-1) !== 204 && Date.now() < deadline; ) {
    const response = await fetch(url, { method: "POST", ...delivery }).catch(() => undefined);
    statuses.push(response?.status ?? 0);
    if (statuses.at(-1) !== 204) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return statuses;
}

/** Returns how often a receiver ran each event. */
async function runsOf(url: string): Promise<Record<string, number>> {
  return (await (await fetch(url)).json()).runs;
}

describe.runIf(hasRedis)("two processes that share a store in Redis", () => {
  it("run each event once, although every event is delivered to both at the same time", async () => {
    const receivers = await startTwo();
    const ids = Array.from({ length: 30 }, (_, index) => `evt_${index}`);
    const deliveries = await Promise.all(ids.map((id) => signWebhook({ ...order, id }, { secret })));
    const statuses = await Promise.all(
      deliveries.flatMap((delivery) => receivers.map(({ url }) => deliver(url, delivery))),
    );
    expect(statuses.map((each) => each.at(-1))).toEqual(Array(60).fill(204));
    const runs = await Promise.all(receivers.map(({ url }) => runsOf(url)));
    expect(ids.map((id) => (runs[0]?.[id] ?? 0) + (runs[1]?.[id] ?? 0))).toEqual(Array(30).fill(1));
  });

  it("run an event again if the first process is killed while its function runs", async () => {
    const [first, second] = await startTwo();
    const data = { dieOn: String(first.child.pid) };
    const delivery = await signWebhook({ type: "order.paid", id: "evt_1", data }, { secret });
    const exited = once(first.child, "exit");
    await fetch(first.url, { method: "POST", ...delivery }).catch(() => undefined);
    expect((await exited)[1]).toBe("SIGKILL");

    const statuses = await deliver(second.url, delivery);
    expect([statuses[0], statuses.at(-1)]).toEqual([409, 204]);
    expect(await deliver(second.url, delivery)).toEqual([204]);
    expect(await runsOf(second.url)).toEqual({ evt_1: 1 });
  });
});
