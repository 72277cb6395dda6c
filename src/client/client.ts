import type { Method, Operation, OperationTypes } from "../contract/index.ts";
import { Checks } from "../errors/checks.ts";
import type { BillingError, OperationError } from "../errors/index.ts";
import { isVersion } from "../lifecycle/index.ts";
import { describeValue } from "../values/describe.ts";
import { RunningCall } from "./call.ts";
import { DEPRECATED_VERSION } from "./generated.ts";
import type { Log } from "./log.ts";
import type { CallOptions, ClientOptions, RequestOptions } from "./options.ts";
import { type OperationParameters, type PreparedRequest, prepareOperation, prepareRequest } from "./request.ts";
import type { CallResponse } from "./response.ts";
import { readCall, readSettings, type Settings } from "./settings.ts";

/** A version that is bound to a client's options. */
export interface BoundVersion {
  readonly send: Send;
  /** The members of every version's client. */
  readonly base: BaseClient;
}

/**
 * Binds a version to a client's options, to write a client for your own contract.
 *
 * @example
 * ```ts
 * const { send, base } = bindVersion("2025-07", options);
 * return { ...base, events: { ingest: (events) => send(ingestEvents, { body: { events } }) } };
 * ```
 * @throws {@link InvalidInputError} when `version` is not a version (`YYYY-MM`), or an option is unknown or invalid.
 */
export function bindVersion(version: string, options: ClientOptions): BoundVersion {
  const isValid = typeof version === "string" && isVersion(version);
  new Checks({ caller: "bindVersion" }).must(isValid, "version", "be YYYY-MM", version, describeValue);
  const settings = readSettings(version, options);
  const { baseUrl } = settings;
  warnIfDeprecated(version, settings.logger);
  return {
    send: (operation, parameters, callOptions) =>
      new PendingCall(perform(settings, callOptions, () => prepareOperation(baseUrl, operation, parameters))),
    base: {
      baseUrl,
      request: (method, path, requestOptions = {}) =>
        new PendingCall(perform(settings, requestOptions, () => prepareRequest(baseUrl, method, path, requestOptions))),
    },
  };
}

/** Runs a call. An invalid argument rejects the promise; it does not throw. */
async function perform<Data>(
  settings: Settings,
  options: CallOptions | undefined,
  prepare: () => PreparedRequest,
): Promise<CallResponse<Data>> {
  const request = prepare();
  const check = new Checks(request);
  const call =
    options === undefined
      ? settings.call
      : readCall(check, check.fields("options", options, request.options), settings.call);
  return (await new RunningCall(settings, call, request).run()) as CallResponse<Data>;
}

let hasWarned = false;

/** Warns about the removal of the Deprecated version when the first client of it is created in a process. */
function warnIfDeprecated(version: string, { warn }: Log): void {
  if (hasWarned || version !== DEPRECATED_VERSION.version || !warn) return;
  hasWarned = true;
  const { removed, current } = DEPRECATED_VERSION;
  warn(
    `createClient: version ${version} of the API is Deprecated. The release between ${removed.earliest} and ${removed.latest} removes it: import ${current} or a later version.`,
    DEPRECATED_VERSION,
  );
}

/** Members of the client of every version. */
export interface BaseClient {
  /** The base URL of all requests. */
  readonly baseUrl: string;
  /**
   * Sends a request to any path, including operations that this package does not describe. It is authenticated and versioned
   * like every call. The response is not checked, and its type is `unknown`.
   *
   * @param path The path below the base URL. It must start with `/`.
   * @example
   * ```ts
   * const orders = await billing.request("GET", "/v1/orders/", { query: { limit: 10 } });
   * ```
   */
  request(method: Method, path: string, options?: RequestOptions): Call<unknown>;
}

/** Sends an operation, and checks its response. Returned by `bindVersion`. */
export type Send = <Types extends OperationTypes>(
  operation: Operation<Types>,
  parameters: OperationParameters<Types>,
  options?: CallOptions,
) => Call<Types["data"], OperationError<Types["failures"]>>;

/** The outcome of a call as a value, as returned by `.safe()`. */
export type Result<Data, Failure = BillingError> =
  | { readonly ok: true; readonly data: Data; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly data?: never };

/** A pending call: a promise of its data, with two other ways to await it. The request is sent only once. */
export interface Call<Data, Failure = BillingError> extends Promise<Data> {
  /** Resolves with the data, the response and the version that processed the request. */
  withResponse(): Promise<CallResponse<Data>>;
  /** Resolves with the outcome: `{ ok: true, data }` or `{ ok: false, error }`. It never rejects. */
  safe(): Promise<Result<Data, Failure>>;
}

/**
 * A call that returns a list in pages. Await it for the first page, or iterate over it for every item. The first page is
 * requested at once, each other page when the iteration reaches it:
 *
 * ```ts
 * for await (const product of billing.products.list({ limit: 100 })) console.log(product);
 * ```
 */
export interface PagedCall<Page, Item, Failure = BillingError>
  extends Call<Page, Failure>,
    AsyncIterable<Item, void, void> {
  /** Iterates over the pages, from the requested one to the last. */
  pages(): AsyncIterable<Page, void, void>;
}

/** Implements {@link Call}. Every way to await it uses the same promise of the response, so that the request is sent once. */
export class PendingCall<Data, Failure> extends Promise<Data> implements Call<Data, Failure> {
  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #response: Promise<CallResponse<Data>>;

  constructor(response: Promise<CallResponse<Data>>) {
    // A handler that calls `resolve` would hide the caller from the stack of an error.
    super((resolve) => resolve(response.then(({ data }) => data)));
    this.#response = response;
  }

  withResponse(): Promise<CallResponse<Data>> {
    return this.then(() => this.#response);
  }

  safe(): Promise<Result<Data, Failure>> {
    return this.then(
      (data): Result<Data, Failure> => ({ ok: true, data }),
      (error: Failure): Result<Data, Failure> => ({ ok: false, error }),
    );
  }
}
