import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How a program ended. */
export interface Outcome {
  readonly status: number;
  /** What it printed, on either stream. */
  readonly output: string;
}

/** A project of somebody who uses the package, in a folder of its own; removed in the end. */
export class Workspace implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "billing-user-"));

  /** @param packages More packages of this repository that the project has installed. */
  constructor(packages: readonly string[] = []) {
    mkdirSync(join(this.folder, "node_modules/@billing-service"), { recursive: true });
    symlinkSync(root, join(this.folder, "node_modules/@billing-service/sdk"));
    for (const name of packages) symlinkSync(join(root, "node_modules", name), join(this.folder, "node_modules", name));
    this.write("package.json", '{ "type": "module", "private": true }');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs a program of Node.js in the folder. */
  node(parameters: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return run(process.execPath, parameters, this.folder, env);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Runs a program to its end, or ends it after a time. It does not see that it is started by a test. */
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
