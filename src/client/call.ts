import type { BillingError } from "../errors/index.ts";

/** A successful answer with what came around its data. */
export interface CallResponse<Data> {
  /** The body, checked against the contract. Fields that the contract does not know are still in it. */
  readonly data: Data;
  /** The HTTP response; its body has been read. */
  readonly response: Response;
  /** The version that processed the request: the response's `Service-Version`; undefined when it carried none. */
  readonly version: string | undefined;
}

/** The outcome of a call as a value: what `.safe()` gives in place of throwing. */
export type Result<Data, Failure = BillingError> =
  | { readonly ok: true; readonly data: Data; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly data?: never };

/** A call under way: a promise of its data, with two other ways to wait for it. The request is sent once, whichever is used. */
export interface Call<Data, Failure = BillingError> extends Promise<Data> {
  /** Waits for the data together with the response and the version that processed the request. */
  withResponse(): Promise<CallResponse<Data>>;
  /** Waits for the outcome as a value: `{ ok: true, data }` or `{ ok: false, error }`. It never rejects. */
  safe(): Promise<Result<Data, Failure>>;
}

/**
 * A call that gives a list page by page. Waiting for it gives the first page; iterating gives every item, and asks for a
 * page when the iteration reaches it:
 *
 * ```ts
 * for await (const product of billing.products.list({ limit: 100 })) console.log(product);
 * ```
 */
export interface PagedCall<Page, Item, Failure = BillingError>
  extends Call<Page, Failure>,
    AsyncIterable<Item, void, void> {
  /** Iterates over the pages, from the one that the call asked for to the last. */
  pages(): AsyncIterable<Page, void, void>;
}
