/** One HTTP request that a thread waits for. */
export interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** In milliseconds. */
  readonly timeout: number;
}

/** Its answer, with the header `Link` where it has one, or the code of the failure. */
export type Told =
  | { readonly status: number; readonly text: string; readonly link?: string | undefined }
  | { readonly failure: string };

/** A delivery that arrived at the receiver. */
export interface Arrived {
  readonly id: number;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response to a delivery. */
export interface Handled {
  readonly id: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request of the waiting thread to the worker: an HTTP request, or the port of its receiver. */
export type Order = { readonly id: number } & ({ readonly ask: Asked } | { readonly listen: true });

/** A message of the worker to the waiting thread. */
export type Report = { readonly id: number } & (Told | { readonly port: number });

/** The data that the worker is started with. */
export interface WorkerData {
  /** Counts the reports; the waiting thread sleeps on it. */
  readonly reports: Int32Array;
  readonly orders: import("node:worker_threads").MessagePort;
  readonly arrivals: import("node:worker_threads").MessagePort;
}
