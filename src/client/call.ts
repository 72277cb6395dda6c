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

/** Implements {@link Call}. Every way to await it uses the same promise of the response, so that the request is sent once. */
export class PendingCall<Data, Failure> extends Promise<Data> implements Call<Data, Failure> {
  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #answer: Promise<Answer<Data>>;

  constructor(answer: Promise<Answer<Data>>) {
    // A handler that calls `resolve` would hide the caller from the stack of an error.
    super((resolve) => resolve(answer.then(({ data }) => data)));
    this.#answer = answer;
  }

  withResponse(): Promise<CallResponse<Data>> {
    return this.then(async () => {
      const answer = await this.#answer;
      return { ...answer, response: asResponse(answer.response) };
    });
  }

  safe(): Promise<Result<Data, Failure>> {
    return this.then(
      (data): Result<Data, Failure> => ({ ok: true, data }),
      (error: Failure): Result<Data, Failure> => ({ ok: false, error }),
    );
  }
}
