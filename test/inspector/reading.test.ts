import { describe, expect, it } from "vitest";
import { following } from "../../mock/inspector/page/data.ts";
import { formatDuration, formatInterval } from "../../mock/inspector/page/elements/format.ts";
import { scrollTopFor, visibleRows } from "../../mock/inspector/page/elements/visible-rows.ts";
import { filterRequests } from "../../mock/inspector/page/panels/filter-requests.ts";
import type { RecordedRequest } from "../../mock/journal/journal.ts";

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
  ...given,
});

const requests = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => request(from + index));

/** What the server keeps, asked as the page asks it; and what it was asked. */
function serverWith(kept: readonly RecordedRequest[]) {
  const asked: string[] = [];
  const list = async (query: string) => {
    asked.push(query);
    return kept.filter(({ id }) => id > Number(query.replace("?after=", "")));
  };
  return { list, asked };
}

describe("the page follows the journal", () => {
  const cases = [
    { name: "takes everything at first", known: [], kept: requests(1, 3), asked: [""] },
    { name: "takes only what is new", known: requests(1, 3), kept: requests(1, 5), asked: ["?after=2"] },
    { name: "forgets what was emptied", known: requests(1, 3), kept: [], asked: ["?after=2", ""] },
    {
      name: "forgets what was emptied before more came",
      known: requests(1, 3),
      kept: requests(4, 9),
      asked: ["?after=2"],
    },
    { name: "forgets another server's", known: requests(5, 9), kept: requests(1, 2), asked: ["?after=8", ""] },
    {
      name: "forgets another server's of the same numbers",
      known: requests(1, 3),
      kept: requests(1, 4).map((kept) => ({ ...kept, at: "2026-01-01T00:00:00.000000Z" })),
      asked: ["?after=2", ""],
    },
  ];
  it.each(cases)("it $name", async ({ known, kept, asked }) => {
    const server = serverWith(kept);
    expect(await following(known, server.list)).toEqual(kept);
    expect(server.asked).toEqual(asked);
  });

  it("keeps no more than the server does", async () => {
    const followed = await following(requests(1, 900), serverWith(requests(800, 1799)).list);
    expect(followed.length).toBe(1000);
    expect(followed.at(-1)?.id).toBe(1799);
  });
});

describe("the filter", () => {
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
    ["lost", [3]],
    ["oat", [1, 2]],
  ])("%j finds %j", (filter, ids) => {
    expect(filterRequests(all, filter).map(({ id }) => id)).toEqual(ids);
  });
});

describe("a long list", () => {
  it("draws what is seen and a little around it", () => {
    expect(visibleRows(1000, 30, 0, 600)).toEqual({ from: 0, to: 32 });
    expect(visibleRows(1000, 30, 15_000, 600)).toEqual({ from: 488, to: 532 });
    expect(visibleRows(1000, 30, 29_400, 600)).toEqual({ from: 968, to: 1000 });
    expect(visibleRows(5, 30, 9000, 600)).toEqual({ from: 5, to: 5 });
  });

  it("scrolls only as far as a row needs to be seen below the heading", () => {
    expect(scrollTopFor(3, 30, 0, 600)).toBeUndefined();
    expect(scrollTopFor(3, 30, 300, 600)).toBe(90);
    expect(scrollTopFor(30, 30, 0, 600)).toBe(360);
  });
});

describe("numbers for people", () => {
  it.each([
    [0.0421, "0.04 ms"],
    [12.34, "12.3 ms"],
    [512.4, "512 ms"],
    [12_340, "12.3 s"],
  ])("%d ms is %s", (value, text) => expect(formatDuration(value)).toBe(text));

  it.each([
    [1, "1 second"],
    [300, "5 minutes"],
    [86_400, "1 day"],
  ])("%d s is %s", (value, text) => expect(formatInterval(value)).toBe(text));
});
