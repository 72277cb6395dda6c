import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockServer } from "../../mock/server.ts";
import { billing, type Ended, spawnBilling } from "../support/command.ts";
import { newFolder } from "../support/new-folder.ts";

/** An entry of the file of rejected lines. */
interface RejectedLine {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

/** Writes a file to ingest into its own folder, which is deleted after the test. */
export function usageFile(content: string | Uint8Array, name = "usage.jsonl") {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  const rejected = `${path}.rejected`;
  const readRejected = (): RejectedLine[] =>
    JSON.parse(`[${readFileSync(rejected, "utf8").trimEnd().replaceAll("\n", ",")}]`);
  return { path, progress: `${path}.progress`, rejected, readRejected };
}

/** The `metadata.note` of each event. */
export const NOTE: string = "é".repeat(50);

/** Returns lines with valid events without `external_id`, whose `metadata.n` counts from 1. */
export function events(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({ name: "api.call", external_customer_id: "acme", metadata: { n: index + 1, note: NOTE } }),
  );
}

const tokens = new WeakMap<MockServer, string>();

/** Returns the arguments and the environment of `billing ingest` with a server, by default with the same token each time. */
function ingestCall(
  server: MockServer,
  args: readonly string[],
  token = tokens.get(server) ?? server.mock.issueToken(),
) {
  if (!tokens.has(server)) tokens.set(server, token);
  return [["ingest", ...args, "--base-url", server.url], { BILLING_TOKEN: token }] as const;
}

/** Runs `billing ingest` in this process until it ends. */
export function ingest(
  server: MockServer,
  args: readonly string[],
  stdin: string | Uint8Array = "",
  token?: string,
): Promise<Ended> {
  return billing(...ingestCall(server, args, token), stdin);
}

/** Starts `billing ingest` in its own process. */
export function spawnIngest(server: MockServer, args: readonly string[], cwd?: string) {
  return spawnBilling(...ingestCall(server, args), cwd);
}

/** Returns `metadata.n` of every stored event, in ascending order. */
export function storedNumbers({ mock }: MockServer): number[] {
  return mock.events
    .list()
    .map(({ metadata }) => metadata["n"] as number)
    .sort((a, b) => a - b);
}
