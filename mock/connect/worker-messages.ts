import type { MessagePort } from "node:worker_threads";

/** An HTTP request for the worker to make. */
export interface HttpCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** In milliseconds. */
  readonly timeout: number;
}

/** The response to an HTTP request, with its `Link` header if it has one, or the error code of the failure. */
export type HttpResult =
  | { readonly status: number; readonly text: string; readonly link?: string | undefined }
  | { readonly failure: string };

/** A webhook delivery that arrived at the worker. */
export interface IncomingDelivery {
  readonly id: number;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response to a webhook delivery. */
export interface DeliveryReply {
  readonly id: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A task for the worker: make an HTTP request, or listen for deliveries. */
export type WorkerTask = { readonly id: number } & ({ readonly call: HttpCall } | { readonly listen: true });

/** The result of a task: of an HTTP request, or the port at which the worker listens. */
export type WorkerResult = { readonly id: number } & (HttpResult | { readonly port: number });

/** The data that the worker starts with. */
export interface WorkerData {
  /** The number of results so far. The waiting thread sleeps on it. */
  readonly resultCount: Int32Array;
  /** Receives tasks and sends their results. */
  readonly tasks: MessagePort;
  /** Sends deliveries and receives their replies. */
  readonly deliveries: MessagePort;
}
