import { describe, expect, it } from "vitest";
import { filterByWords } from "../../mock/inspector/page/elements/list-view.tsx";
import { textOf } from "../../mock/inspector/page/panels/requests-panel.tsx";
import { fetchNewRequests } from "../../mock/inspector/page/session/mock-data.ts";
import type { RecordedRequest } from "../../mock/journal/requests.ts";

const request = (id: number, given: Partial<RecordedRequest> = {}): RecordedRequest => ({
  id,
  at: `2025-01-01T00:00:00.${String(id).padStart(6, "0")}Z`,
  method: "GET",
  path: "/v1/products/",
  query: "",
  operation: "products:list",
  headers: {},
  versionAsked: null,
  versionUsed: "2025-01",
  credential: "oat",
  status: 200,
  duration: 1,
  body: null,
  answer: null,
  fault: null,
  ignored: [],
  ...given,
});

const requests = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => request(from + index));

/** Simulates a server with these requests, and records the queries that it receives. */
function serverWith(kept: readonly RecordedRequest[]) {
  const queries: (string | undefined)[] = [];
  const list = async (after: string | undefined) => {
    queries.push(after);
    return kept.filter(({ id }) => id > Number(after ?? 0));
  };
  return { list, queries };
}

describe("fetchNewRequests", () => {
  const all = undefined;
  const restarted = requests(1, 4).map((kept) => ({ ...kept, at: "2026-01-01T00:00:00.000000Z" }));
  it.each([
    ["reads everything at first", [], requests(1, 3), [all]],
    ["reads only new requests", requests(1, 3), requests(1, 5), ["2"]],
    ["discards cleared requests", requests(1, 3), [], ["2", all]],
    ["discards requests cleared before new ones arrived", requests(1, 3), requests(4, 9), ["2"]],
    ["discards requests of another server", requests(5, 9), requests(1, 2), ["8", all]],
    ["discards requests of another server with the same ids", requests(1, 3), restarted, ["2", all]],
  ])("%s", async (_, known, kept, queries) => {
    const server = serverWith(kept);
    expect(await fetchNewRequests(known, server.list)).toEqual(kept);
    expect(server.queries).toEqual(queries);
  });

  it("keeps at most as many requests as the server", async () => {
    const followed = await fetchNewRequests(requests(1, 900), serverWith(requests(800, 1799)).list);
    expect(followed.length).toBe(1000);
    expect(followed.at(-1)?.id).toBe(1799);
  });
});

describe("the request filter", () => {
  const all = [
    request(1),
    request(2, { method: "POST", path: "/v1/events/ingest", operation: "events:ingest", status: 422 }),
    request(3, { status: null, fault: "fault-1", credential: null }),
  ];
  it.each([
    ["", [1, 2, 3]],
    ["  POST ", [2]],
    ["4xx ingest", [2]],
    ["4xx get", []],
    ["fault", [3]],
    ["failed", [3]],
    ["oat", [1, 2]],
  ])("finds %j: %j", (filter, ids) => {
    expect(filterByWords(all, filter, textOf).map(({ id }) => id)).toEqual(ids);
  });
});
