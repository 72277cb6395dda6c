import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { isFresh } from "../../scripts/build.ts";

/** The output and the exit code of a command. */
export type Ended = Awaited<Running["ended"]>;

/** A running command. */
export type Running = ReturnType<typeof start>;

/** The built command starts in a quarter of the time of its sources. It is used unless a source is newer. */
export const billingFile: string = pathOf(isFresh() ? manifest.bin.billing : "cli/billing.ts");

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

/** Starts `billing mock` in its own process, which is killed when the test ends. */
export function billingMock(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  return start(["mock", ...args], env);
}

/** Runs `billing` in its own process, with a string as its stdin; null leaves it open. */
export function billing(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin: string | Uint8Array | null = "",
): Running {
  const running = start(args, env);
  // The command may end without reading all of its input.
  running.process.stdin.on("error", () => {});
  if (stdin !== null) running.process.stdin.end(stdin);
  return running;
}

function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [billingFile, ...args], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const texts = { stdout: "", stderr: "" };
  const ended = once(child, "close").then(([code]) => ({ ...texts, code: code as number | null }));
  let over = false;
  ended.then(() => {
    over = true;
  });
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  return {
    process: child,
    /** Waits until the output matches, and returns the output so far. */
    printed: async (pattern: RegExp) => {
      while (!pattern.test(texts.stdout)) {
        if (over) throw new Error(`It has ended: ${texts.stderr}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
      return texts.stdout;
    },
    /** Waits until it exits. */
    ended,
  };
}

/** Writes a temporary file, and returns its path. */
export function fileWith(text: string, name = "seed.json"): string {
  const path = join(mkdtempSync(join(tmpdir(), "billing-mock-")), name);
  writeFileSync(path, text);
  return path;
}

/** The output of the command with `--json`. */
export interface Ready {
  readonly url: string;
  readonly port: number;
  readonly control: string | null;
  readonly tokens: Readonly<Record<"oidc" | "pat" | "oat", string>>;
  readonly seeded: readonly { readonly type: string; readonly token: string; readonly owner: string }[];
}

/** Starts the command on a free port, and waits until it listens. */
export async function ready(args: readonly string[] = [], env = {}): Promise<Ready & Running> {
  const running = billingMock(["--port", "0", "--json", ...args], env);
  return { ...running, ...(JSON.parse(await running.printed(/\n/)) as Ready) };
}
