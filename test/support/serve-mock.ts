import { Worker } from "node:worker_threads";
import { type ConnectedMock, connectMock } from "../../mock/connect.ts";
import type { ServerOptions } from "../../mock/server.ts";
import type { ThreadCommand, ThreadReply } from "./server-thread.ts";

/** A server in another thread, and the mock behind it. */
export interface ServedMock {
  readonly url: string;
  readonly mock: ConnectedMock;
  close(): Promise<void>;
}

type Order = ThreadCommand extends infer Each ? (Each extends ThreadCommand ? Omit<Each, "id"> : never) : never;

interface Waiting {
  readonly resolve: (url: string) => void;
  readonly reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let host: Worker | undefined;
let count = 0;

/**
 * Starts a server for one test, in a thread that all tests of a file share to make starting fast. Options cannot contain
 * functions.
 */
export async function serveMock(options: ServerOptions = {}): Promise<ServedMock> {
  const url = await ask({ start: options });
  const password = options.control ? options.control.password : undefined;
  const mock = connectMock(url, password === undefined ? {} : { password });
  return { url, mock, close: async () => void (await ask({ close: url })) };
}

function ask(order: Order): Promise<string> {
  host ??= begin();
  const thread = host;
  return new Promise((resolve, reject) => {
    count += 1;
    waiting.set(count, { resolve, reject });
    thread.ref();
    thread.postMessage({ ...order, id: count });
  });
}

function begin(): Worker {
  const thread = new Worker(new URL("./server-thread.ts", import.meta.url), { execArgv: [] });
  thread.on("message", ({ id, url, error }: ThreadReply) => {
    const { resolve, reject } = waiting.get(id) as Waiting;
    waiting.delete(id);
    if (waiting.size === 0) thread.unref();
    if (url === undefined) reject(error);
    else resolve(url);
  });
  return thread;
}
