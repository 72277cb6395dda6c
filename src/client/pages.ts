import type { PagedOperation, PagedTypes, Paging } from "../contract/index.ts";
import { describeType } from "../errors/describe-value.ts";
import { type OperationError, ResponseMismatchError } from "../errors/index.ts";
import { type Call, type PagedCall, PendingCall, type Send } from "./call.ts";
import type { CallOptions } from "./options.ts";
import type { OperationParameters } from "./request.ts";

/**
 * Sends an operation that returns a list page by page: the first page at once, each other page when the iteration reaches
 * it. Every page is requested with the same query and options.
 */
export function sendPages<Types extends PagedTypes>(
  send: Send,
  operation: PagedOperation<Types>,
  query: OperationParameters<Types>["query"],
  options?: CallOptions,
): PagedCall<Types["data"], Types["item"], OperationError<Types["failures"]>> {
  const { id, pagination } = operation;
  const asked = { ...(query as Readonly<Record<string, unknown>>) };
  const sendPage = (page: number) => {
    return send(operation, { query: { ...asked, [pagination.page]: page } as typeof query }, options);
  };
  const first = Number(asked[pagination.page] ?? 1);
  return new PendingPages(send(operation, { query }, options), { operation: id, pagination, first, sendPage });
}

interface Pages<Page, Failure> {
  readonly operation: string;
  readonly pagination: Paging;
  /** The number of the requested page. */
  readonly first: number;
  sendPage(page: number): Call<Page, Failure>;
}

/** Implements {@link PagedCall}. */
class PendingPages<Page, Item, Failure> extends PendingCall<Page, Failure> implements PagedCall<Page, Item, Failure> {
  readonly #pages: Pages<Page, Failure>;

  constructor(call: Call<Page, Failure>, pages: Pages<Page, Failure>) {
    super(call.withResponse());
    this.#pages = pages;
  }

  /** Ends at an empty page as well, so that a wrong last page number does not cause endless requests. */
  async *pages(): AsyncGenerator<Page, void, void> {
    const { pagination, first, sendPage } = this.#pages;
    let { data: page, response } = await this.withResponse();
    yield page;
    for (let number = first + 1; ; number++) {
      const lastPage = fieldAt(page, pagination.lastPage);
      if (typeof lastPage !== "number") throw this.#otherForm(response, pagination.lastPage, "a number", lastPage);
      if (number > lastPage || isEmpty(fieldAt(page, pagination.items))) return;
      ({ data: page, response } = await sendPage(number).withResponse());
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    const path = this.#pages.pagination.items;
    const { response } = await this.withResponse();
    for await (const page of this.pages()) {
      const items = fieldAt(page, path);
      if (!Array.isArray(items)) throw this.#otherForm(response, path, "an array", items);
      yield* items as readonly Item[];
    }
  }

  /** Creates the error for a page that was accepted as it is, but that the iteration cannot use. */
  #otherForm({ status }: Response, path: readonly string[], expected: string, value: unknown): ResponseMismatchError {
    const { operation } = this.#pages;
    const mismatch = { path: path.join("."), message: `expected ${expected}, received ${describeType(value)}` };
    const message = `${operation}: cannot iterate over a page of this form: ${mismatch.path}: ${mismatch.message}. To get the page as it is, await the call`;
    return new ResponseMismatchError(message, { operation, mismatches: [mismatch], value: undefined, status });
  }
}

function isEmpty(items: unknown): boolean {
  return Array.isArray(items) && items.length === 0;
}

function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value);
}
