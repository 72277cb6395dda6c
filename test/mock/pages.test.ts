import { describe, expect, it } from "vitest";
import { type ListPage, pageOf } from "../../mock/control/record-rows.ts";
import { Table } from "../../mock/state/state.ts";

const COUNT = 5_000;

function filled(count = COUNT): Table<number> {
  const table = new Table<number>();
  for (let index = 0; index < count; index++) table.set(`k${index}`, index);
  return table;
}

/** Returns the items of every page, and calls a function after each page. */
function pagesOf(table: Table<number>, between: (page: number) => void = () => {}): unknown[] {
  const items: unknown[] = [];
  let query: Record<string, string> | undefined = { limit: "100" };
  for (let page = 0; query; page++) {
    const { rows, hasMore }: ListPage<number> = pageOf(table, query);
    items.push(...rows.map(([, item]) => item));
    query = hasMore ? { limit: "100", after: rows.at(-1)?.[0] as string } : undefined;
    between(page);
  }
  return items;
}

describe("the pages of a long list", () => {
  const all = Array.from({ length: COUNT }, (_, index) => index);

  it("contain each row once", () => {
    expect(pagesOf(filled())).toEqual(all);
  });

  it("can be requested twice and in any order", () => {
    const table = filled();
    const itemsOf = (query: Parameters<typeof pageOf>[1]) => pageOf(table, query).rows.map(([, item]) => item);
    const page = () => itemsOf({ limit: "3", after: "k4" });
    pagesOf(table);
    expect([page(), page(), itemsOf({ limit: "2" }), page()]).toEqual([
      [5, 6, 7],
      [5, 6, 7],
      [0, 1],
      [5, 6, 7],
    ]);
  });

  it("contain rows that are set in between", () => {
    const table = filled();
    const items = pagesOf(table, (page) => {
      if (page === 0) table.set("k100", -100);
      if (page < 100) table.set(`new${page}`, page);
    });
    expect(items.slice(0, COUNT)).toEqual(all.map((value) => (value === 100 ? -100 : value)));
    expect(items.slice(COUNT, COUNT + 50)).toEqual(all.slice(0, 50));
  });

  it("omit rows that are deleted in between", () => {
    const table = filled();
    const deleted = new Set<number>();
    const items = pagesOf(table, (page) => {
      const next = 101 * (page + 1) - 1;
      table.delete(`k${next}`);
      deleted.add(next);
    });
    expect(items).toEqual(all.filter((value) => !deleted.has(value)));
  });

  it("follow snapshots that are created and restored in between", () => {
    const table = filled();
    const start = table.save();
    const items = pagesOf(table, (page) => {
      if (page === 1) table.set("k0", -1);
      if (page === 2) table.save();
      if (page === 3) table.set("more", COUNT);
      if (page === 5) table.load(start);
    });
    expect(items).toEqual(all);
  });
});
