import type { Contract } from "../../src/contract/index.ts";
import type { Credential } from "../state/records.ts";
import type { Route } from "./routes.ts";

/** An answer before it is written: a status, a JSON body (undefined for an empty one) and headers. */
export interface Reply {
  readonly status: number;
  /** Whether the contract may declare another status for such a failure. */
  readonly isDeclared?: boolean;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the service reads of a request: every `Request` has it, and so has what arrives on a socket. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: {
    get(name: string): string | null;
    /** Every header, by its lower-case name. */
    entries(): Iterable<readonly [string, string]>;
  };
  /** Null when there is none. */
  readonly body: unknown;
  /** Whether `Content-Length` was sent; undefined in the process, where requests do not have it. */
  readonly hasLength?: boolean;
  readonly signal: AbortSignal;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

/** One request on its way through the service: what arrived, and what the steps so far have found out. */
export interface Exchange {
  readonly request: IncomingRequest;
  readonly method: string;
  /** The path below the base address. */
  readonly path: string;
  /** The query, without its question mark. */
  readonly search: string;
  /** Milliseconds since 1970, by the mock's clock; 0 where the clock fails. */
  receivedAt: number;
  /** The base address that the request came in on. */
  readonly baseUrl: string;
  /** The `Service-Version` asked for; null when none was. */
  readonly versionAsked: string | null;
  /** The contract that processes the request, from the step `version` on. */
  contract?: Contract;
  /** Whether the body is being read: what fails then is the request, not the mock. */
  reading?: boolean;
  /** The body as text, from the step `size` on; undefined when there is none. */
  text?: string;
  /** Whether the body has bytes that are no UTF-8: the text stands for them by U+FFFD. */
  garbled?: boolean;
  /** The credential sent, from the step `token` on; undefined when there is none. */
  credential?: Credential;
  /** The operation, from the step `route` on. */
  route?: Route;
  /** The parameters in the path, as sent. */
  pathParameters?: Readonly<Record<string, string>>;
  /** The parameters in the query, checked, from the step `parameters` on. */
  query?: unknown;
  /** The body, checked, from the step `body` on. */
  body?: unknown;
}
