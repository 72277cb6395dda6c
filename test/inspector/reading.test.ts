import { expect, it } from "vitest";
import { fetchNewRequests } from "../../mock/inspector/page/session/mock-data.ts";
import type { RecordedRequest } from "../../mock/journal/requests.ts";

/** Requests with the ids from one to another. A server that was restarted gives them other times. */
const requests = (from: number, to: number, at = "2025-01-01T00:00:00.000000Z") =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index, at }) as RecordedRequest);

/** Reads new requests from a server with some, and returns them with the queries that it received. */
async function read(known: readonly RecordedRequest[], kept: readonly RecordedRequest[]) {
  const queries: (string | undefined)[] = [];
  const found = await fetchNewRequests(known, async (after) => {
    queries.push(after);
    return kept.filter(({ id }) => id > Number(after ?? 0));
  });
  return { found, queries };
}

const all = undefined;
it.each([
  ["reads everything at first", [], requests(1, 3), [all]],
  ["reads only new requests", requests(1, 3), requests(1, 5), ["2"]],
  ["discards cleared requests", requests(1, 3), [], ["2", all]],
  ["discards requests cleared before new ones arrived", requests(1, 3), requests(4, 9), ["2"]],
  ["discards requests of another server", requests(5, 9), requests(1, 2), ["8", all]],
  ["discards requests of another server with the same ids", requests(1, 3), requests(1, 4, "2026"), ["2", all]],
])("the page %s", async (_, known, kept, queries) => {
  expect(await read(known, kept)).toEqual({ found: kept, queries });
});

it("the page keeps at most as many requests as the server", async () => {
  const { found } = await read(requests(1, 900), requests(800, 1799));
  expect([found.length, found.at(-1)?.id]).toEqual([1000, 1799]);
});
