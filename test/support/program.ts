import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../mock/index.ts", import.meta.url));

/** Runs a program in a separate process until it exits. The status is null if it had to be killed. */
export async function run(program: string): Promise<{ output: string; status: number | null }> {
  const code = `import { createMock } from ${JSON.stringify(source)};\n${program}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], { timeout: 80_000 });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { output, status };
}
