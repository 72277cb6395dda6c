import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { OutboxEvent } from "../../src/usage/index.ts";
import { type SqliteOutboxOptions, sqliteOutbox } from "../../src/usage/sqlite.ts";
import { outboxChecks } from "../../src/usage/testing.ts";

const folder = mkdtempSync(join(tmpdir(), "sqlite-outbox-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newPath = (): string => join(folder, `${files++}.db`);

function opened(path: string = newPath(), options?: SqliteOutboxOptions) {
  const outbox = sqliteOutbox(path, options);
  onTestFinished(() => outbox.close());
  return outbox;
}

const ALL = { events: 100_000, bytes: 1e9 };

function eventsOf(count: number, note = ""): OutboxEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const json = JSON.stringify({ name: "call", external_id: String(index), metadata: { note } });
    return { json, bytes: json.length };
  });
}

describe("sqliteOutbox passes every check of a durable outbox", () => {
  const options = { open: (name: string) => sqliteOutbox(join(folder, `${name}.db`)), durable: true };
  for (const { name, run } of outboxChecks(options)) it(name, run);
});

describe("sqliteOutbox with survivesPowerLoss passes every check of a durable outbox", () => {
  const open = (name: string) => sqliteOutbox(join(folder, `power-${name}.db`), { survivesPowerLoss: true });
  for (const { name, run } of outboxChecks({ open, durable: true })) it(name, run);
});

describe("sqliteOutbox rejects", () => {
  it("a path that is not a string, and unknown options", () => {
    expect(() => sqliteOutbox("")).toThrow("sqliteOutbox: path must be a non-empty string");
    expect(() => sqliteOutbox("x.db", { maxFileByte: 1 } as never)).toThrow(
      'sqliteOutbox: unknown option "maxFileByte". Did you mean "maxFileBytes"?',
    );
  });

  it("a path in a folder that does not exist", () => {
    const path = join(folder, "missing", "usage.db");
    expect(() => sqliteOutbox(path)).toThrow(`${path}: it cannot be opened; its folder must exist and be writable`);
  });

  it("a file that is not a database, and leaves it unchanged", () => {
    const path = newPath();
    writeFileSync(path, "name,external_customer_id\n".repeat(1_000));
    const before = readFileSync(path);
    expect(() => sqliteOutbox(path)).toThrow(expect.objectContaining({ name: "OutboxError", reason: "corrupt" }));
    expect(() => sqliteOutbox(path)).toThrow(`${path}: it is not an SQLite database`);
    expect(readFileSync(path)).toEqual(before);
  });

  it("a database of another program, and leaves it unchanged", () => {
    const path = newPath();
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE events (name TEXT)");
    other.close();
    const before = readFileSync(path);
    expect(() => sqliteOutbox(path)).toThrow(expect.objectContaining({ reason: "foreign" }));
    expect(() => sqliteOutbox(path)).toThrow(`${path}: the database belongs to another program; use another path`);
    expect(readFileSync(path)).toEqual(before);
  });

  it("a file of a newer version of the package", async () => {
    const path = newPath();
    await sqliteOutbox(path).close();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 2");
    newer.close();
    expect(() => sqliteOutbox(path)).toThrow(
      `${path}: was written by a newer version of this package (format 2, known: 1)`,
    );
  });

  it("a damaged file", async () => {
    const path = newPath();
    const outbox = sqliteOutbox(path);
    await outbox.append(eventsOf(2_000, "x".repeat(200)));
    await outbox.close();
    const bytes = readFileSync(path);
    bytes.fill(0x2a, 4_096, bytes.length - 4_096);
    writeFileSync(path, bytes);
    expect(() => sqliteOutbox(path)).toThrow(expect.objectContaining({ reason: "corrupt" }));
    expect(() => sqliteOutbox(path)).toThrow(`${path}: the database is damaged; move the file away`);
  });

  it("a file that another process has opened", async () => {
    const path = newPath();
    const source = new URL("../../src/usage/sqlite.ts", import.meta.url).href;
    const program = `import { sqliteOutbox } from ${JSON.stringify(source)};
      sqliteOutbox(${JSON.stringify(path)}); console.log("open"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    expect(() => sqliteOutbox(path)).toThrow(expect.objectContaining({ reason: "in-use" }));
    expect(() => sqliteOutbox(path)).toThrow("it is open in another process; only one may use it at a time");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await opened(path).state()).events).toBe(0);
  });

  it("a runtime without node:sqlite", () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(() => sqliteOutbox(newPath())).toThrow(
      `sqliteOutbox: node:sqlite is missing in ${process.version}; it needs Node.js 22.13 or newer`,
    );
  });
});

describe("a full file", () => {
  it("rejects the events that do not fit, keeps the others, and accepts new ones when there is room", async () => {
    const outbox = opened(newPath(), { maxFileBytes: 200_000 });
    await outbox.append(eventsOf(100, "x".repeat(1_000)));
    const tooMany = outbox.append(eventsOf(100, "x".repeat(1_000)));
    await expect(tooMany).rejects.toMatchObject({ name: "OutboxError", reason: "full" });
    await expect(tooMany).rejects.toThrow("the disk or the file is full");
    expect((await outbox.state()).events).toBe(100);
    await outbox.confirm(await outbox.take(ALL));
    await outbox.append(eventsOf(100, "x".repeat(1_000)));
    expect(await outbox.take(ALL)).toHaveLength(100);
  });
});

it("reuses the space of confirmed events", async () => {
  const path = newPath();
  const outbox = opened(path);
  for (let round = 0; round < 50; round++) {
    await outbox.append(eventsOf(200, "x".repeat(500)));
    await outbox.confirm(await outbox.take(ALL));
  }
  await outbox.close();
  expect(statSync(path).size).toBeLessThan(1_000_000);
});

it("does not read more than a batch when events are large", async () => {
  const outbox = opened();
  await outbox.append(eventsOf(300, "x".repeat(1_000_000)));
  const before = process.memoryUsage().heapUsed;
  const taken = await outbox.take({ events: 300, bytes: 3_000_000 });
  expect(taken).toHaveLength(2);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
});
