import type { Method } from "../contract/index.ts";
import type { Call } from "./call.ts";
import type { CallOptions } from "./options.ts";

/** What `client.request` takes besides the call options. */
export interface RequestOptions extends CallOptions {
  /** Query parameters; an array repeats the name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** A value to send as JSON. */
  readonly body?: unknown;
  /** Whether sending the request twice does no more than once, so that it may be retried; true for GET alone by default. */
  readonly repeatable?: boolean | undefined;
}

/** What the client of every version has. */
export interface BaseClient {
  /** The base address that requests go to. */
  readonly baseUrl: string;
  /**
   * Sends a request to any operation of the service, also one that this package does not describe: authenticated and
   * versioned like every other, its answer unchecked and `unknown`.
   *
   * @param path The path below the base address; it starts with `/`.
   * @example
   * ```ts
   * const orders = await billing.request("GET", "/v1/orders/", { query: { limit: 10 } });
   * ```
   */
  request(method: Method, path: string, options?: RequestOptions): Call<unknown>;
}
