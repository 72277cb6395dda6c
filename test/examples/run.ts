import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** The outcome of a program. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the quickstart in its own process. */
export function quickstart(...parameters: string[]): Ended {
  return end(process.execPath, ["examples/quickstart.ts", ...parameters]);
}

/** Runs a program in the project's folder, without a terminal; `FORCE_COLOR` of the test run itself is not handed on. */
export function end(program: string, parameters: readonly string[], variables: NodeJS.ProcessEnv = {}): Ended {
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: root, encoding: "utf8", env });
  return { status, stdout, stderr };
}

/** Writes a file that is deleted after the test, and returns its path. */
export function fileOf(content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "usage-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "usage.jsonl");
  writeFileSync(file, content);
  return file;
}

/** Returns a valid event with an `external_id`, as a line of a file. */
export function goodLine(id: number | string): string {
  const timestamp = "2025-03-30T03:00:00+02:00";
  return JSON.stringify({ name: "api.call", external_customer_id: "somebody", timestamp, external_id: `event-${id}` });
}
