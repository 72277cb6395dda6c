import type { PagedOperation, PagedTypes, Paging } from "../contract/index.ts";
import type { OperationError } from "../errors/index.ts";
import type { Call, PagedCall } from "./call.ts";
import type { CallOptions } from "./options.ts";
import { PendingCall } from "./pending-call.ts";
import type { Parameters, Send } from "./request.ts";

/**
 * Sends an operation that returns a list page by page: the first page at once, each other page when the iteration reaches
 * it. Every page is requested with the same query and options.
 */
export function sendPages<Types extends PagedTypes>(
  send: Send,
  operation: PagedOperation<Types>,
  query: Parameters<Types>["query"],
  options?: CallOptions,
): PagedCall<Types["data"], Types["item"], OperationError<Types["failures"]>> {
  const { pagination } = operation;
  const asked = { ...(query as Readonly<Record<string, unknown>>) };
  const sendPage = (page: number) => {
    return send(operation, { query: { ...asked, [pagination.page]: page } as typeof query }, options);
  };
  const first = Number(asked[pagination.page] ?? 1);
  return new PendingPages(send(operation, { query }, options), { pagination, first, sendPage });
}

interface Pages<Page, Failure> {
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
    const { first, sendPage } = this.#pages;
    let { data: page } = await this.withResponse();
    yield page;
    for (let number = first + 1; number <= this.#lastPage(page) && this.#items(page).length > 0; number++) {
      page = await sendPage(number);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for await (const page of this.pages()) yield* this.#items(page);
  }

  /** Returns no items for a page without a list, which `onResponseMismatch` may let pass. */
  #items(page: Page): readonly Item[] {
    const items = fieldAt(page, this.#pages.pagination.items);
    return Array.isArray(items) ? (items as readonly Item[]) : [];
  }

  #lastPage(page: Page): number {
    return Number(fieldAt(page, this.#pages.pagination.lastPage));
  }
}

function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value);
}
