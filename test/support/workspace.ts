import { execFile } from "node:child_process";

/** The outcome of a program. */
export interface Outcome {
  readonly status: number;
  /** Its output on stdout and stderr. */
  readonly output: string;
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
