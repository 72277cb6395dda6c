import type { BillingError } from "../errors/index.ts";
import type { TransportResponse } from "./transport.ts";

/** A successful response with its data and metadata. */
export interface CallResponse<Data> {
  /**
   * The body. That of an operation matches the contract, unless `onResponseMismatch` says otherwise; that of `client.request` is
   * not checked. It keeps fields that the contract does not know.
   */
  readonly data: Data;
  /** The HTTP response as it was received: nothing is redacted in its headers. Its body has been read. */
  readonly response: Response;
  /** The version that processed the request: the response's `Service-Version`; undefined if the header is missing. */
  readonly version: string | undefined;
}

/** A {@link CallResponse} whose `Response` is created only if it is requested. */
export interface Answer<Data> extends Omit<CallResponse<Data>, "response"> {
  readonly response: TransportResponse;
}

/** The outcome of a call as a value, as returned by `.safe()`. */
export type Result<Data, Failure = BillingError> =
  | { readonly ok: true; readonly data: Data; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly data?: never };

/** A pending call: a promise of its data, with two more ways to await it. The request is sent once in any case. */
export interface Call<Data, Failure = BillingError> extends Promise<Data> {
  /** Resolves with the data, the response and the version that processed the request. */
  withResponse(): Promise<CallResponse<Data>>;
  /** Resolves with the outcome: `{ ok: true, data }` or `{ ok: false, error }`. It never rejects. */
  safe(): Promise<Result<Data, Failure>>;
}

/**
 * A call that returns a list page by page. Await it for the first page, or iterate over it for every item. Each page is
 * requested when the iteration reaches it:
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
