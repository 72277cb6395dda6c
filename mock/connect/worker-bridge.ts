import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { workerFile } from "./worker-file.ts";
import type { HttpCall, HttpResult, WorkerData, WorkerResult, WorkerTask } from "./worker-messages.ts";

interface Bridge {
  readonly resultCount: Int32Array;
  readonly tasks: MessagePort;
  readonly deliveries: MessagePort;
}

/** The time that the worker can take in addition to the timeout of a request, in milliseconds. */
const GRACE = 2_000;

let bridge: Bridge | undefined;
let receiver: number | undefined;
let count = 0;

/** Makes an HTTP request and blocks the thread until the response is complete. */
export function callSync(call: HttpCall): HttpResult {
  const id = ++count;
  const result = wait({ id, call }, call.timeout + GRACE);
  return result && "port" in result ? { failure: "no response" } : (result ?? { failure: "ETIMEDOUT" });
}

/** Returns the port at which this process receives deliveries. Starts to listen on the first call. */
export function receiverPort(): number {
  if (receiver === undefined) {
    const result = wait({ id: ++count, listen: true }, GRACE);
    if (!result || !("port" in result)) throw new Error("connectMock: cannot open a port to receive deliveries.");
    receiver = result.port;
  }
  return receiver;
}

/** Returns the port on which deliveries arrive from the worker and replies go back. */
export function deliveriesPort(): MessagePort {
  return open().deliveries;
}

function wait(task: WorkerTask, timeout: number): WorkerResult | undefined {
  const { resultCount, tasks } = open();
  tasks.postMessage(task);
  for (;;) {
    const seen = Atomics.load(resultCount, 0);
    const received = receiveMessageOnPort(tasks)?.message as WorkerResult | undefined;
    // The result of an earlier task that timed out is skipped.
    if (received?.id === task.id) return received;
    if (received === undefined && Atomics.wait(resultCount, 0, seen, timeout) === "timed-out") return undefined;
  }
}

/** Returns the bridge to the worker. One worker serves all connections of the process and never keeps it alive. */
function open(): Bridge {
  if (bridge) return bridge;
  const resultCount = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const tasks = new MessageChannel();
  const deliveries = new MessageChannel();
  const workerData: WorkerData = { resultCount, tasks: tasks.port2, deliveries: deliveries.port2 };
  startWorker(workerData);
  bridge = { resultCount, tasks: tasks.port1, deliveries: deliveries.port1 };
  return bridge;
}

function startWorker(workerData: WorkerData): void {
  const transferList = [workerData.tasks, workerData.deliveries];
  const file = workerFile();
  // A missing file would only be reported after the timeout of the first request, because this thread is blocked.
  if (!existsSync(fileURLToPath(file))) {
    throw new Error(
      `connectMock: cannot find its worker ${file.href}. When you bundle your code, keep @billing-service/sdk external.`,
    );
  }
  new Worker(file, { execArgv: [], workerData, transferList }).unref();
}
