import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Asked, Order, Report, Told, WorkerData } from "./messages.ts";
import { work } from "./worker.ts";

interface Bridge {
  readonly reports: Int32Array;
  readonly orders: MessagePort;
  /** Where deliveries arrive, and where their answers go. */
  readonly arrivals: MessagePort;
}

/** How long the worker itself may take beyond what it does, in milliseconds. */
const GRACE = 2_000;

let bridge: Bridge | undefined;
let receiver: number | undefined;
let count = 0;

/** Makes an HTTP request, and blocks the thread until the answer is there. */
export function askNow(ask: Asked): Told {
  const id = ++count;
  const report = wait({ id, ask }, ask.timeout + GRACE);
  return report && "port" in report ? { failure: "no answer" } : (report ?? { failure: "ETIMEDOUT" });
}

/** The port at which this process takes deliveries in; it begins to listen when it is first asked for. */
export function receiverPort(): number {
  if (receiver === undefined) {
    const report = wait({ id: ++count, listen: true }, GRACE);
    if (!report || !("port" in report)) throw new Error("connectMock: no port could be opened to receive deliveries.");
    receiver = report.port;
  }
  return receiver;
}

/** Returns the port on which deliveries arrive. */
export function arrivalsPort(): MessagePort {
  return open().arrivals;
}

function wait(order: Order, timeout: number): Report | undefined {
  const { reports, orders } = open();
  orders.postMessage(order);
  for (;;) {
    const seen = Atomics.load(reports, 0);
    const received = receiveMessageOnPort(orders)?.message as Report | undefined;
    // The report of an earlier request, which nobody waits for any longer, is passed over.
    if (received?.id === order.id) return received;
    if (received === undefined && Atomics.wait(reports, 0, seen, timeout) === "timed-out") return undefined;
  }
}

/** One worker serves all connections of the process, and never keeps it alive. */
function open(): Bridge {
  if (bridge) return bridge;
  const reports = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const orders = new MessageChannel();
  const arrivals = new MessageChannel();
  const workerData: WorkerData = { reports, orders: orders.port2, arrivals: arrivals.port2 };
  const transferList = [orders.port2, arrivals.port2];
  new Worker(`(${work})()`, { eval: true, execArgv: [], workerData, transferList }).unref();
  bridge = { reports, orders: orders.port1, arrivals: arrivals.port1 };
  return bridge;
}
