import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../mock/api/create-engine.ts";
import { SnapshotStore } from "../../mock/control/snapshot-store.ts";
import { savedState } from "../../mock/state/state.ts";
import { Table, type TableSnapshot } from "../../mock/state/table.ts";
import { Transaction } from "../../mock/state/transaction.ts";

interface Write {
  readonly do: "set" | "delete" | "add";
  readonly key: string;
  readonly value: number;
}

interface Whole {
  readonly do: "save" | "load" | "fail" | "succeed";
  readonly nth: number;
  readonly writes: readonly Write[];
}

const key = fc.constantFrom("a", "b", "c", "d", "e", "f");
const write: fc.Arbitrary<Write> = fc.record({
  do: fc.constantFrom("set", "set", "delete", "add"),
  key,
  value: fc.nat(),
});
const whole: fc.Arbitrary<Whole> = fc.record({
  do: fc.constantFrom("save", "load", "fail", "succeed"),
  nth: fc.nat(),
  writes: fc.array(write, { maxLength: 6 }),
});

/** A table beside a map, which is copied for every snapshot. */
class Compared {
  readonly transaction = new Transaction();
  readonly table = new Table<number>(this.transaction);
  map = new Map<string, number>();
  readonly saved: { readonly rows: ReadonlyMap<string, number>; readonly snapshot: TableSnapshot<number> }[] = [];

  run(step: Write | Whole): void {
    if (step.do === "set") this.set(step.key, step.value);
    else if (step.do === "add") this.add([step.key, "f"], step.value);
    else if (step.do === "delete") expect(this.table.delete(step.key)).toBe(this.map.delete(step.key));
    else if (step.do === "save") this.saved.push({ rows: new Map(this.map), snapshot: this.table.save() });
    else if (step.do === "load") this.load(step.nth);
    else if ("writes" in step) this.transact(step.writes, step.do === "succeed");
    this.compare();
  }

  set(key: string, value: number): void {
    this.table.set(key, value);
    this.map.set(key, value);
  }

  add(keys: readonly string[], value: number): void {
    const rows = new Map(keys.filter((each) => !this.map.has(each)).map((each) => [each, value]));
    this.table.addAll(rows);
    for (const [each] of rows) this.map.set(each, value);
  }

  load(nth: number): void {
    const chosen = this.saved[nth % Math.max(1, this.saved.length)];
    if (!chosen) return;
    this.table.load(chosen.snapshot);
    this.map = new Map(chosen.rows);
  }

  transact(writes: readonly Write[], success: boolean): void {
    const before = new Map(this.map);
    const work = () => {
      for (const each of writes) this.run(each);
    };
    this.transaction.run(work, () => success);
    if (!success) this.map = before;
  }

  compare(): void {
    expect([...this.table.entries()]).toEqual([...this.map]);
    expect(this.table.list()).toEqual([...this.map.values()]);
    expect(this.table.size).toBe(this.map.size);
    for (const key of ["a", "b", "c", "d", "e", "f"]) expect(this.table.get(key)).toBe(this.map.get(key));
  }
}

describe("a table", () => {
  it("contains the same as a map with copies, after any writes, snapshots and failures", () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: write }, whole), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (sequence) => {
        const compared = new Compared();
        for (const step of sequence) compared.run(step);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it("keeps the map of the first rows itself, instead of a copy", () => {
    const table = new Table<number>();
    const rows = new Map([["a", 1]]);
    table.addAll(rows);
    table.set("b", 2);
    expect([...rows]).toEqual([...table.entries()]);
  });

  it("shares its rows with every snapshot; a snapshot after a write adds only that write", () => {
    const table = new Table<number>();
    for (let i = 0; i < 1000; i++) table.set(`row-${i}`, i);
    const [base] = table.save().layers;
    for (let i = 0; i < 100; i++) {
      table.set(`later-${i}`, i);
      const [lowest, ...others] = table.save().layers;
      expect(lowest).toBe(base);
      expect(others.length).toBeLessThan(10);
    }
  });

  it("shares its rows with the snapshot that it was restored from", () => {
    const table = new Table<number>();
    for (let i = 0; i < 10; i++) table.set(`row-${i}`, i);
    const snapshot = table.save();
    table.set("row-0", -1);
    table.load(snapshot);
    expect(table.save().layers[0]).toBe(snapshot.layers[0]);
  });

  it("does not copy many rows for a snapshot", () => {
    const table = new Table<number>();
    const add = (first: number) => {
      table.addAll(new Map(Array.from({ length: 30_000 }, (_, index) => [`${first + index}`, index])));
      return table.save().layers;
    };
    const [base] = add(0);
    expect(add(30_000)[0]).toBe(base);
    expect(add(60_000)).toHaveLength(3);
    table.set("0", 1);
    expect(table.save().layers).toHaveLength(4);
    expect([table.get("0"), table.get("59999"), table.list().length]).toEqual([1, 29_999, 90_000]);
  });

  it("drops rows that were replaced", () => {
    const table = new Table<number>();
    for (let round = 0; round < 8; round++) {
      for (let index = 0; index < 30_000; index++) table.set(`${index}`, round);
      table.save();
    }
    const kept = table.save().layers.reduce((sum, { rows }) => sum + rows.size, 0);
    expect(kept).toBeLessThanOrEqual(60_000);
  });

  it("has another revision after every write, load and failure", () => {
    const transaction = new Transaction();
    const table = new Table<number>(transaction);
    const seen = new Set([table.revision]);
    const snapshot = table.save();
    const steps = [
      () => table.set("a", 1),
      () => table.delete("a"),
      () => table.load(snapshot),
      () =>
        transaction.run(
          () => table.set("b", 1),
          () => false,
        ),
      () => table.addAll(new Map([["c", 1]])),
    ];
    for (const step of steps) {
      step();
      expect(seen).not.toContain(table.revision);
      seen.add(table.revision);
    }
  });
});

describe("snapshots kept for the control API", () => {
  const description = "x".repeat(1000);

  it("are bounded by their total size, and the newest one is always kept", () => {
    const mock = createEngine({});
    const snapshots = new SnapshotStore(100_000);
    for (let i = 0; i < 300; i++) {
      mock.products.create({ description });
      snapshots.add(mock.snapshot());
    }
    expect(snapshots.ids()).toEqual(["snapshot-300"]);
    mock.reset();
    for (let i = 0; i < 300; i++) snapshots.add(mock.snapshot());
    expect(snapshots.ids()).toHaveLength(300);
  });

  it("count shared rows once", () => {
    const mock = createEngine({});
    for (let i = 0; i < 50; i++) mock.products.create({ description });
    const snapshots = new SnapshotStore(100_000);
    for (let i = 0; i < 20; i++) {
      mock.customers.create();
      snapshots.add(mock.snapshot());
    }
    expect(snapshots.ids()).toHaveLength(20);
    for (const id of snapshots.ids()) expect(snapshots.delete(id)).toBe(true);
    expect(snapshots.ids()).toEqual([]);
  });
});

it("a snapshot does not expose the state", () => {
  const mock = createEngine({});
  const snapshot = mock.snapshot();
  expect(Reflect.ownKeys(snapshot)).toEqual([]);
  expect(Object.isFrozen(snapshot)).toBe(true);
  expect(savedState(snapshot).versions.current).toBe("2025-01");
});
