import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { run } from "../../cli/run.ts";
import manifest from "../../package.json" with { type: "json" };
import { isFresh } from "../../scripts/build.ts";

type Variables = Readonly<Record<string, string>>;

/** The output and the exit code of a command. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** Null if a signal ended its process. */
  readonly code: number | null;
}

/** A command that runs in this process. */
export type Running = ReturnType<typeof start>;

/** Runs `billing` in this process, with a string as its stdin, and waits until it ends. */
export function billing(args: readonly string[], env: Variables = {}, stdin: string | Uint8Array = ""): Promise<Ended> {
  const running = start(args, env);
  running.stdin.end(stdin);
  return running.ended;
}

/** Starts `billing` in this process, with an open stdin. */
export function start(args: readonly string[], env: Variables = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = run(args, { ...process.env, ...env }, { stdin, stdout, stderr });
  return { stdin, ...collect({ stdout, stderr }, code) };
}

/** Collects the output of a command. */
function collect(streams: Readonly<Record<"stdout" | "stderr", NodeJS.ReadableStream>>, code: Promise<number | null>) {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    streams[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  // What was written before the end arrives in a later turn.
  const ended: Promise<Ended> = code.then(
    (code) => new Promise((resolve) => setImmediate(() => resolve({ ...texts, code }))),
  );
  return {
    /** Waits until the output matches, and returns the output so far. */
    printed: async (pattern: RegExp) => {
      while (!pattern.test(texts.stdout)) {
        const over = await Promise.race([once(streams.stdout, "data"), ended]);
        if ("code" in over) throw new Error(`It has ended: ${texts.stderr}`);
      }
      return texts.stdout;
    },
    /** Waits until it ends. */
    ended,
  };
}

/** The built command starts in a quarter of the time of its sources. It is used unless a source is newer. */
export const billingFile: string = fileURLToPath(
  new URL(`../../${isFresh() ? manifest.bin.billing : "cli/billing.ts"}`, import.meta.url),
);

/**
 * Starts `billing` in its own process, which is killed when the test ends: for signals, the exit, and the streams of a process.
 */
export function spawnBilling(args: readonly string[], env: Variables = {}, cwd?: string) {
  const child = spawn(process.execPath, [billingFile, ...args], { env: { ...process.env, ...env }, cwd });
  onTestFinished(() => void child.kill("SIGKILL"));
  // The command may end without reading all of its input.
  child.stdin.on("error", () => {});
  return {
    process: child,
    ...collect(
      child,
      once(child, "close").then(([code]) => code as number | null),
    ),
  };
}

/** Writes a temporary file, and returns its path. */
export function fileWith(content: string | Uint8Array, name = "seed.json"): string {
  const path = join(mkdtempSync(join(tmpdir(), "billing-mock-")), name);
  writeFileSync(path, content);
  return path;
}

/** The output of `billing mock --json`. */
export interface Ready {
  readonly url: string;
  readonly port: number;
  readonly control: string | null;
  readonly tokens: Readonly<Record<"oidc" | "pat" | "oat", string>>;
}

const READY = ["--port", "0", "--json"];

/** Starts `billing mock` in this process on a free port, and waits until it listens. It stops when the test ends. */
export async function ready(args: readonly string[] = [], env: Variables = {}): Promise<Ready & Running> {
  const running = start(["mock", ...READY, "--stdin", "--grace", "0", ...args], env);
  onTestFinished(async () => {
    running.stdin.end();
    await running.ended;
  });
  return { ...running, ...(JSON.parse(await running.printed(/\n/)) as Ready) };
}

/** Starts `billing mock` in its own process. */
export async function readyProcess(args: readonly string[] = []): Promise<Ready & ReturnType<typeof spawnBilling>> {
  const running = spawnBilling(["mock", ...READY, ...args]);
  return { ...running, ...(JSON.parse(await running.printed(/\n/)) as Ready) };
}
