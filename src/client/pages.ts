import type { PagedOperation, PagedTypes } from "../contract/index.ts";
import { describeType } from "../errors/describe-value.ts";
import { type OperationError, ResponseMismatchError } from "../errors/index.ts";
import type { CallResponse, PagedCall, Send } from "./call.ts";
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
  const asked: Readonly<Record<string, unknown>> = { ...(query as object) };
  const first = send(operation, { query }, options);
  const responses = async function* (): AsyncGenerator<CallResponse<Types["data"]>, void, void> {
    let page = await first.withResponse();
    yield page;
    for (let number = Number(asked[pagination.page] ?? 1) + 1; ; number++) {
      const lastPage = fieldAt(page.data, pagination.lastPage);
      if (typeof lastPage !== "number") throw otherForm(id, page.response, pagination.lastPage, "a number", lastPage);
      // An empty page also ends the list, so that a wrong last page number does not cause endless requests.
      if (number > lastPage || (fieldAt(page.data, pagination.items) as unknown[] | undefined)?.length === 0) return;
      const next = { ...asked, [pagination.page]: number } as typeof query;
      page = await send(operation, { query: next }, options).withResponse();
      yield page;
    }
  };
  const pages = async function* (): AsyncGenerator<Types["data"], void, void> {
    for await (const { data } of responses()) yield data;
  };
  const items = async function* (): AsyncGenerator<Types["item"], void, void> {
    for await (const { data, response } of responses()) {
      const list = fieldAt(data, pagination.items);
      if (!Array.isArray(list)) throw otherForm(id, response, pagination.items, "an array", list);
      yield* list as readonly Types["item"][];
    }
  };
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}

/** Creates the error for a page that was accepted as it is, but that the iteration cannot use. */
function otherForm(
  operation: string,
  { status }: Response,
  path: readonly string[],
  expected: string,
  value: unknown,
): ResponseMismatchError {
  const mismatch = { path: path.join("."), message: `expected ${expected}, received ${describeType(value)}` };
  const message = `${operation}: cannot iterate over a page of this form: ${mismatch.path}: ${mismatch.message}. To get the page as it is, await the call`;
  return new ResponseMismatchError(message, { operation, mismatches: [mismatch], value: undefined, status });
}

function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value);
}
