import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockServer } from "../../mock/server.ts";
import { billing, type Ended, type Running } from "../support/command.ts";
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
  const rejected = `${path}.rejected.jsonl`;
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

/** Starts `billing ingest` with a server, by default with the same token each time. */
export function startIngest(
  server: MockServer,
  args: readonly string[],
  stdin: string | Uint8Array | null = "",
  token: string = tokens.get(server) ?? server.mock.issueToken(),
): Running {
  if (!tokens.has(server)) tokens.set(server, token);
  return billing(["ingest", ...args, "--base-url", server.url], { BILLING_TOKEN: token }, stdin);
}

/** Runs `billing ingest` with a server until it ends. */
export function ingest(...given: Parameters<typeof startIngest>): Promise<Ended> {
  return startIngest(...given).ended;
}

/** Returns `metadata.n` of every stored event, in ascending order. */
export function storedNumbers({ mock }: MockServer): number[] {
  return mock.events
    .list()
    .map(({ metadata }) => metadata["n"] as number)
    .sort((a, b) => a - b);
}
