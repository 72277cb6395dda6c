import { Checks } from "../errors/checks.ts";

/** Options for `undiciTransport`. */
export interface UndiciTransportOptions {
  /**
   * Maximum number of connections per origin. More calls at once wait for a free one, within their timeout. Defaults to 128.
   */
  readonly connections?: number | undefined;
  /** Maximum duration of opening a connection, in milliseconds. Defaults to 10,000. */
  readonly connectTimeout?: number | undefined;
  /**
   * Sends the requests, for example a `ProxyAgent`, or an `Agent` with other settings. Not allowed together with the other
   * options. The transport does not close it. Defaults to an agent of its own, which uses the proxy in `HTTPS_PROXY` and
   * `HTTP_PROXY`, except for the hosts in `NO_PROXY`.
   */
  readonly dispatcher?: UndiciDispatcher | undefined;
}

/** The checked options with defaults. */
export type UndiciSettings = ReturnType<typeof readUndiciOptions>;

/**
 * Checks the options of `undiciTransport` and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readUndiciOptions(given: UndiciTransportOptions) {
  const check = new Checks({ caller: "undiciTransport" });
  const options = check.fields("options", given, ["connections", "connectTimeout", "dispatcher"]);
  const { connections, connectTimeout, dispatcher } = options;
  if (dispatcher !== undefined) {
    check.methods("dispatcher", dispatcher, ["request"], true);
    const other = Object.entries({ connections, connectTimeout }).find(([, value]) => value !== undefined)?.[0];
    if (other) throw check.fail(other, "must not be used together with dispatcher; set it on the dispatcher");
  }
  return {
    connections: check.integer("connections", connections ?? 128, 1, 65_536),
    connectTimeout: check.integer("connectTimeout", connectTimeout ?? 10_000, 1),
    dispatcher,
  };
}

/** The part of undici's `Dispatcher` that the transport uses, for example of an `Agent` or a `ProxyAgent`. */
export interface UndiciDispatcher {
  request(request: UndiciRequest): Promise<UndiciResponse>;
}

/** A request as undici expects it. */
export interface UndiciRequest {
  readonly origin: string;
  /** The path and the query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  /** 0 disables undici's own timeout, because the client has one. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

/** A response of undici. */
export interface UndiciResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: UndiciBody;
}

/** The body of a response of undici. */
export type UndiciBody = AsyncIterable<Uint8Array>;
