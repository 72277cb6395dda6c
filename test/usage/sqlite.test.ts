import { spawn, spawnSync } from "node:child_process";
import fs, {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type SqliteOutboxOptions, sqliteOutbox } from "../../src/usage/sqlite.ts";
import { newFolder } from "../support/new-folder.ts";
import { numbers, outboxEvents } from "./outbox-model.ts";
import { buffered } from "./service.ts";

const newPath = () => join(newFolder(), "usage.db");
const eventsOf = (count: number, note?: string) => outboxEvents(numbers(count), note);

function opened(path: string = newPath(), options?: SqliteOutboxOptions) {
  const outbox = sqliteOutbox(path, options);
  onTestFinished(() => outbox.close());
  return outbox;
}

const contentOf = (path: string) => (existsSync(path) ? readFileSync(path) : undefined);

/** The arguments of a Node.js process that runs a program with an outbox in a file. */
function argumentsOf(program: string, path: string): string[] {
  const source = new URL("../../src/usage/sqlite.ts", import.meta.url).href;
  const head = `import { sqliteOutbox } from ${JSON.stringify(source)};
    const path = ${JSON.stringify(path)};
    const event = (id) => ({ json: JSON.stringify({ name: "call", external_id: String(id) }), bytes: 40 });`;
  return ["--input-type=module", "-e", head + program];
}

/** Starts a process that runs a program until it is killed. */
function run(program: string, path: string) {
  const child = spawn(process.execPath, argumentsOf(`setInterval(() => {}, 1000);${program}`, path));
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Runs statements on a database, as another program would. */
function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

describe("sqliteOutbox rejects", () => {
  const theirs = "CREATE TABLE events (name TEXT)";
  const damage = async (path: string) => {
    const outbox = sqliteOutbox(path);
    await outbox.append(eventsOf(500, "x".repeat(200)));
    await outbox.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x2a, 4_096, bytes.length - 4_096));
  };

  it.each<readonly [what: string, reason: string, problem: string, arrange: (path: string) => unknown]>([
    ["text", "corrupt", "it is not an SQLite database", (path) => writeFileSync(path, "name,id\n".repeat(1_000))],
    [
      "another program's database",
      "foreign",
      "the database belongs to another program; use another path",
      (path) => execute(path, theirs),
    ],
    ["a damaged file", "corrupt", "the database is damaged; move the file away", damage],
  ])("%s, and leaves it unchanged", async (_, reason, problem, arrange) => {
    const path = newPath();
    await arrange(path);
    const before = contentOf(path);
    const error = { name: "OutboxError", reason, message: expect.stringContaining(`${path}: ${problem}`) };
    expect(() => sqliteOutbox(path)).toThrow(expect.objectContaining(error));
    expect(contentOf(path)).toEqual(before);
  });

  it("a file that it has open itself, and keeps other processes out", async () => {
    const path = newPath();
    await opened(path).append(eventsOf(1));
    expect(() => sqliteOutbox(path)).toThrow(expect.objectContaining({ reason: "in-use" }));
    const child = run("try { sqliteOutbox(path); } catch ({ reason }) { console.log(reason); } process.exit();", path);
    expect((await child.stdout.toArray()).join("")).toBe("in-use\n");
  });

  it("a runtime without node:sqlite", () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    expect(() => sqliteOutbox("usage.db")).toThrow(
      `sqliteOutbox: node:sqlite is missing in ${process.version}; it needs Node.js 22.13, Bun 1.4, Deno 2.9, or newer`,
    );
  });
});

it("creates files that only their owner can read, with one lock for all symbolic links to them", async () => {
  const [path, link] = [newPath(), newPath()];
  const second = `${link}.second`;
  symlinkSync(path, link);
  symlinkSync(basename(link), second);
  await opened(second).append(eventsOf(1));
  const modes = readdirSync(dirname(path)).map((name) => [name, statSync(join(path, "..", name)).mode & 0o777]);
  expect(Object.fromEntries(modes)).toEqual({ "usage.db": 0o600, "usage.db-wal": 0o600 });
  expect(() => sqliteOutbox(path)).toThrow(expect.objectContaining({ reason: "in-use" }));
});

it.each([0o644, 0o660])(
  "takes the rights of others away from an existing file with the mode %o, and from its log",
  async (mode) => {
    const path = newPath();
    await sqliteOutbox(path).close();
    writeFileSync(`${path}-wal`, "");
    for (const each of [path, `${path}-wal`]) chmodSync(each, mode);
    await opened(path).append(eventsOf(1));
    for (const each of [path, `${path}-wal`]) expect(statSync(each).mode & 0o777).toBe(0o600);
  },
);

it("refuses an existing file that others may read if it cannot change that", async () => {
  const path = newPath();
  await sqliteOutbox(path).close();
  chmodSync(path, 0o644);
  vi.spyOn(fs, "chmodSync").mockThrow(new Error("EPERM"));
  expect(() => sqliteOutbox(path)).toThrow(
    `${path}: other users may read it, and this user may not change that. Run: chmod 600`,
  );
});

describe("a file that, while it is open, is", () => {
  it.each<[change: string, (path: string) => void]>([
    ["renamed", (path) => renameSync(path, `${path}.1`)],
    ["deleted", (path) => rmSync(path)],
    ["replaced", (path) => copyFileSync(path, `${path}.2`) ?? renameSync(`${path}.2`, path)],
    ["in a renamed folder", (path) => renameSync(dirname(path), `${dirname(path)}.1`)],
  ])("%s accepts no event after a second, and what is in it is sent", async (_, change) => {
    const path = join(newFolder(), "folder", "usage.db");
    mkdirSync(dirname(path));
    const onError = vi.fn();
    const { add, mock, usage } = buffered({ outbox: sqliteOutbox(path), maxDelay: 60_000, onError });
    await add(1);
    change(path);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 1_000);
    const moved = { reason: "foreign", message: expect.stringContaining(`${path}: the file was renamed, deleted or`) };
    await expect(add(1, 2)).rejects.toMatchObject(moved);
    await expect(usage.flush()).rejects.toMatchObject(moved);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining(moved));
    await usage.flush();
    expect(mock.events.size).toBe(1);
    await expect(add(1, 2)).rejects.toMatchObject(moved);
  });

  it("renamed is read by close", async () => {
    const path = newPath();
    const { add, mock, usage } = buffered({ outbox: sqliteOutbox(path), maxDelay: 60_000 });
    await add(3);
    renameSync(path, `${path}.1`);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 1_000);
    await usage.close();
    expect(mock.events.size).toBe(3);
  });
});

it("a full disk rejects events as full, and keeps the others", async () => {
  const program = `
    const outbox = sqliteOutbox(path);
    let added = 0;
    const fill = async () => { for (;; added++) await outbox.append([event("x".repeat(1_000))]); };
    const { reason } = await fill().catch((error) => error);
    console.log(JSON.stringify({ reason, added, kept: (await outbox.state()).events }));`;
  const path = newPath();
  // The process may write files of at most about 1 MB.
  const args = ["-c", 'ulimit -f 2000; exec "$@"', "sh", process.execPath, ...argumentsOf(program, path)];
  const { stdout, stderr } = spawnSync("sh", args, { encoding: "utf8" });
  expect(stderr).toBe("");
  const { added, ...result } = JSON.parse(stdout);
  expect(added).toBeGreaterThan(50);
  expect(result).toEqual({ reason: "full", kept: added });
  expect((await opened(path).state()).events).toBe(added);
});
