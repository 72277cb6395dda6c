import type { PagedOperation, PagedTypes } from "../contract/index.ts";
import { describeType } from "../errors/describe-value.ts";
import { type OperationError, ResponseMismatchError } from "../errors/index.ts";
import type { CallResponse, PagedCall, Send } from "./client.ts";
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
  const responses = async function* (): AsyncGenerator<{ data: Types["data"]; items: readonly Types["item"][] }> {
    let call = first;
    for (let number = Number(asked[pagination.page] ?? 1) + 1; ; number++) {
      const page = await call.withResponse();
      const items = fieldOf(page, pagination.items, "array", id) as readonly Types["item"][];
      yield { data: page.data, items };
      const lastPage = fieldOf(page, pagination.lastPage, "number", id) as number;
      // An empty page also ends the list, so that a wrong last page number does not cause endless requests.
      if (number > lastPage || items.length === 0) return;
      call = send(operation, { query: { ...asked, [pagination.page]: number } as typeof query }, options);
    }
  };
  const pages = async function* (): AsyncGenerator<Types["data"], void, void> {
    for await (const { data } of responses()) yield data;
  };
  const items = async function* (): AsyncGenerator<Types["item"], void, void> {
    for await (const page of responses()) yield* page.items;
  };
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}

/** Returns a field that the iteration needs. The page may have another form, since the contract may accept any. */
function fieldOf(
  { data, response: { status } }: CallResponse<unknown>,
  names: readonly string[],
  expected: "array" | "number",
  operation: string,
): unknown {
  const value = names.reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<string, unknown>> | null)?.[name],
    data,
  );
  if (describeType(value) === expected) return value;
  const mismatch = { path: names.join("."), message: `expected ${expected}, received ${describeType(value)}` };
  const message = `${operation}: cannot iterate over this page: ${mismatch.path}: ${mismatch.message}. Await the call to get it`;
  throw new ResponseMismatchError(message, { operation, mismatches: [mismatch], value: undefined, status });
}
