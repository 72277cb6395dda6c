import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** The outcome of a program. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in the project's folder, without a terminal; `FORCE_COLOR` of the test run itself is not handed on. */
export function end(program: string, parameters: readonly string[], variables: NodeJS.ProcessEnv = {}): Ended {
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const env = { ...inherited, ...variables };
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: root, encoding: "utf8", env });
  return { status, stdout, stderr };
}
