import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The outcome of a program. */
export interface Outcome {
  readonly status: number;
  /** Its output on stdout and stderr. */
  readonly output: string;
}

/** A project that uses the package, in its own folder, which is removed at the end. */
export class Workspace implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "billing-user-"));

  /** @param packages Other installed packages of this repository. */
  constructor(packages: readonly string[] = []) {
    mkdirSync(join(this.folder, "node_modules/@billing-service"), { recursive: true });
    symlinkSync(root, join(this.folder, "node_modules/@billing-service/sdk"));
    for (const name of packages) symlinkSync(join(root, "node_modules", name), join(this.folder, "node_modules", name));
    this.write("package.json", '{ "type": "module", "private": true }');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs a Node.js program in the folder. */
  node(parameters: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return run(process.execPath, parameters, this.folder, env);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Runs a program until it exits or times out. The program cannot detect that a test started it. */
export function run(
  program: string,
  parameters: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  timeout = 0,
): Promise<Outcome> {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, VITEST: ___, ...inherited } = process.env;
  const options = { cwd, timeout, env: { ...inherited, NO_COLOR: "1", ...env } };
  return new Promise((resolve) => {
    const child = execFile(program, parameters, options, (error, stdout, stderr) => {
      const status = error ? Number(child.exitCode ?? 1) : 0;
      resolve({ status, output: stdout + stderr });
    });
  });
}
