import type { Operation, OperationTypes } from "../contract/index.ts";
import type { BillingError, OperationError } from "../errors/index.ts";
import type { CallOptions } from "./options.ts";
import type { OperationParameters } from "./request.ts";
import { type Answer, asResponse } from "./response.ts";

/** A successful response with its data and metadata. */
export interface CallResponse<Data> {
  /**
   * The response body. For an operation, it matches the contract, unless `onResponseMismatch` accepts others; for
   * `client.request`, it is not checked. It keeps fields that the contract does not define.
   */
  readonly data: Data;
  /** The HTTP response as it was received; its headers are not redacted. Its body has been read. */
  readonly response: Response;
  /** The version that processed the request: the response's `Service-Version`; undefined if the header is missing. */
  readonly version: string | undefined;
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
 * A call that returns a list in pages. Await it for the first page, or iterate over it for every item. The iteration requests
 * each page when it reaches it:
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

/** The symbol of the method that Node.js, Deno and Bun call to print an object. */
const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

type Inspect = (value: unknown, options: unknown) => string;

/**
 * Implements {@link Call}. Every way to await it uses the same promise of the response, so that the request is sent once
 * and an unhandled failure is reported as for any promise.
 */
export class PendingCall<Data, Failure> extends Promise<Data> implements Call<Data, Failure> {
  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer<Data>>;
  #data: Promise<Data> | undefined;

  constructor(answer: Promise<Answer<Data>>) {
    super(() => {});
    this.#answer = answer;
  }

  /** Chains two plain steps: a handler that wraps `onfulfilled` would hide the caller from the stack of an error. */
  // biome-ignore lint/suspicious/noThenProperty: this class is a promise.
  override then<Kept = Data, Caught = never>(
    onfulfilled?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onrejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.#data ??= this.#answer.then(({ data }) => data);
    return this.#data.then(onfulfilled, onrejected);
  }

  withResponse(): Promise<CallResponse<Data>> {
    return this.#answer.then((answer) => ({ ...answer, response: asResponse(answer.response) }));
  }

  safe(): Promise<Result<Data, Failure>> {
    return this.#answer.then(
      ({ data }): Result<Data, Failure> => ({ ok: true, data }),
      (error: Failure): Result<Data, Failure> => ({ ok: false, error }),
    );
  }

  /** Prints the state of the request. The underlying promise never settles. */
  [inspectSymbol](_depth: number, options: unknown, inspect: Inspect): string {
    return inspect(this.#data ?? this.#answer, options).replace(/^Promise/, "Call");
  }
}
