import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startServer } from "@billing-service/sdk/mock/server";

/**
 * Runs `npx @billing-service/sdk ingest` with a file and a mock that this process serves. Rejected lines are written to
 * `<file>.rejected`. Returns the exit code of the command.
 */
export async function ingestFile(file: string, options: readonly string[]): Promise<number> {
  const server = await startServer();
  // Ctrl+C interrupts the command, which then needs the server to end its requests.
  process.on("SIGINT", () => {});
  const args = [commandFile(), "ingest", file, "--base-url", server.url, ...options];
  const env = { ...process.env, BILLING_TOKEN: server.mock.issueToken() };
  const [code] = await once(spawn(process.execPath, args, { env, stdio: "inherit" }), "exit");
  await server.close();
  return code ?? 1;
}

/** Returns the file of the command `billing`. */
function commandFile(): string {
  const manifest = import.meta.resolve("@billing-service/sdk/package.json");
  const { bin } = JSON.parse(readFileSync(new URL(manifest), "utf8"));
  return fileURLToPath(new URL(bin.billing, manifest));
}
