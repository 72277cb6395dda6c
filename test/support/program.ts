import { fileURLToPath } from "node:url";
import { run as execute, type Outcome } from "./workspace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs a program with `createMock` in a separate process, until it exits or has to be killed. */
export function run(program: string, ...flags: readonly string[]): Promise<Outcome> {
  const code = `import { createMock } from ${JSON.stringify(`${root}mock/index.ts`)};\n${program}`;
  return execute(process.execPath, [...flags, "--input-type=module", "--eval", code], root, {}, 80_000);
}
