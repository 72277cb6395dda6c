import { expect, it } from "vitest";
import { type ListPage, pageOf } from "../../mock/control/record-rows.ts";
import { Table } from "../../mock/state/state.ts";

const COUNT = 300;

it("the pages of a list contain what is set and omit what is deleted in between, also after a restore", () => {
  const table = new Table<number>();
  for (let index = 0; index < COUNT; index++) table.set(`k${index}`, index);
  const changes: Readonly<Record<number, () => void>> = {
    0: () => table.set("k50", -50),
    1: () => table.delete("k21"),
    2: () => table.load(table.save()),
    3: () => table.set("more", COUNT),
  };
  const items: number[] = [];
  let query: Record<string, string> | undefined = { limit: "10" };
  for (let page = 0; query; page++) {
    const { rows, hasMore }: ListPage<number> = pageOf(table, query);
    items.push(...rows.map(([, item]) => item));
    query = hasMore ? { limit: "10", after: rows.at(-1)?.[0] as string } : undefined;
    changes[page]?.();
  }
  const expected = Array.from({ length: COUNT + 1 }, (_, index) => (index === 50 ? -50 : index));
  expect(items).toEqual(expected.filter((item) => item !== 21));
});
