import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "redis";
import { describe, expect, it, onTestFinished } from "vitest";
import { signWebhook } from "../../versions/2025-01/webhooks.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { order, secret } from "./signed.ts";

const program = fileURLToPath(new URL("redis-receiver.ts", import.meta.url));

interface Receiver {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startProcess(redisUrl: string): Promise<Receiver> {
  const child = spawn(process.execPath, [program, redisUrl, secret], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${Number(port)}`, child };
}

/** Delivers an event, and again after every failure, as the service does. Returns the statuses; 0 means no response. */
async function deliver(url: string, delivery: { readonly body: string; readonly headers: Record<string, string> }) {
  const statuses: number[] = [];
  for (const deadline = Date.now() + 20_000; statuses.at(-1) !== 204 && Date.now() < deadline; ) {
    const response = await fetch(url, { method: "POST", ...delivery }).catch(() => undefined);
    statuses.push(response?.status ?? 0);
    if (statuses.at(-1) !== 204) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return statuses;
}

describe.runIf(hasRedis)("two processes that share a Keyv store in Redis", () => {
  it("run each event once, although every event is delivered to both at the same time", async () => {
    const redis = await startRedis();
    const receivers = await Promise.all([startProcess(redis.url), startProcess(redis.url)]);
    const ids = Array.from({ length: 30 }, (_, index) => `evt_${index}`);
    const statuses = await Promise.all(
      ids.flatMap(async (id) => {
        const delivery = { ...(await signWebhook({ ...order, id }, { secret })) };
        return Promise.all(receivers.map(({ url }) => deliver(url, delivery)));
      }),
    );
    expect(statuses.flat().map((each) => each.at(-1))).toEqual(Array.from({ length: 60 }, () => 204));
    const client = await createClient({ url: redis.url }).connect();
    expect(await client.mGet(ids.map((id) => `runs:${id}`))).toEqual(ids.map(() => "1"));
    client.destroy();
  });

  it("run an event again if the first process is killed while its function runs", async () => {
    const redis = await startRedis();
    const [first, second] = await Promise.all([startProcess(redis.url), startProcess(redis.url)]);
    const data = { dieOn: String(first.child.pid) };
    const delivery = await signWebhook({ type: "order.paid", id: "evt_1", data }, { secret });
    const exited = once(first.child, "exit");
    await fetch(first.url, { method: "POST", ...delivery }).catch(() => undefined);
    expect((await exited)[1]).toBe("SIGKILL");

    const statuses = await deliver(second.url, delivery);
    expect(statuses[0]).toBe(409);
    expect(statuses.at(-1)).toBe(204);
    expect(await deliver(second.url, delivery)).toEqual([204]);
    const client = await createClient({ url: redis.url }).connect();
    expect(await client.get("runs:evt_1")).toBe("2");
    client.destroy();
  });
});
