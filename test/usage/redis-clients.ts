import { createRequire } from "node:module";
import { createClient, createClientPool, createCluster, createSentinel } from "redis";
import { onTestFinished } from "vitest";
import { type RedisOutboxClient, type RedisOutboxOptions, redisOutbox } from "../../src/usage/redis.ts";
import { startRedis, startSentinel } from "../support/database-servers.ts";

/** The key of the leases of an outbox without options. */
export const QUEUE = "{billing-usage}:queue";

/** A client that a test can destroy. */
export type Client = RedisOutboxClient & { destroy(): void };

/** Opens each kind of client that the outbox accepts. */
export const kindsOfClients = {
  "createClient of redis 6": (url) => open(createClient({ url })),
  "createClientPool of redis 6": (url) => open(createClientPool({ url })),
  "createCluster of redis 6": (url) => open(createCluster({ rootNodes: [{ url }] })),
  "createSentinel of redis 6": async (url) => open(createSentinel(await sentinelOf(url))),
  "createClient of redis 5": (url) => open(redis5().createClient({ url })),
} satisfies Record<string, (url: string) => Promise<Client>>;

interface Connectable extends Client {
  on(event: "error", listener: () => void): unknown;
  connect(): Promise<unknown>;
}

async function open<Opened extends Connectable>(client: Opened): Promise<Opened> {
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Starts a sentinel that watches the server, and returns the options of its client. */
async function sentinelOf(url: string) {
  return { name: "main", sentinelRootNodes: [{ host: "127.0.0.1", port: await startSentinel(url) }] };
}

/** Connects a client that is destroyed when the test ends. */
export async function connect(url: string) {
  const client = await kindsOfClients["createClient of redis 6"](url);
  onTestFinished(() => (client.isOpen ? client.destroy() : undefined));
  return client;
}

/** Starts Redis and opens an outbox in it. */
export async function opened(options: RedisOutboxOptions = {}) {
  const server = await startRedis();
  const client = await connect(server.url);
  const open = (more: RedisOutboxOptions = {}) => redisOutbox(client, { ...options, ...more });
  return { server, client, open, outbox: open() };
}

/** Loads version 5 of the client, which `@keyv/redis` brings along. */
function redis5(): typeof import("@redis/client") {
  const load = createRequire(createRequire(import.meta.url).resolve("@keyv/redis"));
  const { version } = load("@redis/client/package.json") as { version: string };
  if (!version.startsWith("5.")) throw new Error(`@keyv/redis depends on version ${version} of the client, not 5.`);
  return load("@redis/client") as typeof import("@redis/client");
}
