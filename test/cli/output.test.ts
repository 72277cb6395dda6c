import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { signWebhook } from "#current/webhooks";
import { billing, billingFile, fileWith } from "../support/command.ts";
import { startLocalServer } from "../support/local-server.ts";
import { started } from "../support/started-server.ts";
import { CURRENT, NEXT } from "../support/versions.ts";
import { events, usageFile } from "./ingest-support.ts";

const ESCAPES = "\u001b]0;title\u0007\u009b31m\u202e";

/** Whether a text contains a character that controls a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there.
const controls = (text: string) => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(text);

/** Runs a shell script in which `"$0"` is Node.js and `"$1"` a command; each of them is a file. */
function shell(script: string, file: string): { stdout: string; stderr: string; status: number | null } {
  return spawnSync("bash", ["-c", script, process.execPath, file], { encoding: "utf8", timeout: 80_000 });
}

test.skipIf(process.platform === "win32")("does not print control characters of others", async () => {
  const other = await startLocalServer((_, response) => {
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "Invalid", detail: `no ${ESCAPES}` }));
  });
  const { url } = await started();
  const project = () => dirname(fileWith(`import "@billing-service/sdk/${CURRENT}";`, `${ESCAPES}.ts`));
  const secret = { WEBHOOK_SECRET: "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=" };
  const delivery = await signWebhook({ type: ESCAPES, data: {} } as never, { secret: secret.WEBHOOK_SECRET });
  const service = ["--base-url", other.origin, "--retry-for", "0"];
  const outputs = await Promise.all([
    billing(["trigger", "order.paid", "--url", other.origin]).ended,
    billing(["trigger", ESCAPES, "--url", url]).ended,
    billing(["ingest", `/nowhere/${ESCAPES}`, ...service], { BILLING_TOKEN: "t" }).ended,
    billing(["ingest", usageFile(events(1).join("\n")).path, ...service], { BILLING_TOKEN: "t" }).ended,
    billing(["upgrade", "--to", NEXT, project(), "--dry-run"]).ended,
    billing(["upgrade", "--to", NEXT, project(), "--json"]).ended,
    billing(["verify"], secret, JSON.stringify(delivery)).ended,
    billing(["verify", "--json"], secret, JSON.stringify(delivery)).ended,
    billing([ESCAPES]).ended,
  ]);
  for (const { stdout, stderr } of outputs) {
    expect(`${stdout}${stderr}`).toContain("\\u009b31m");
    expect(controls(stdout + stderr)).toBe(false);
  }
});

test.skipIf(process.platform === "win32")("ends quietly when nobody reads its output", () => {
  const wait = 'set -o pipefail; "$0" "$1"';
  expect(shell(`${wait} --help | true`, billingFile)).toMatchObject({ stderr: "", status: 0 });
  expect(shell(`${wait} mock --port 0 | true`, billingFile)).toMatchObject({ stderr: "", status: 0 });
});

test.runIf(existsSync("/dev/full"))("says in one line that stdout cannot be written", () => {
  const line = "cannot write to stdout: the disk is full.\n";
  expect(shell('"$0" "$1" --help > /dev/full', billingFile)).toMatchObject({ stderr: `billing: ${line}`, status: 1 });
  const mock = shell('"$0" "$1" mock --port 0 > /dev/full', billingFile);
  expect(mock).toMatchObject({ stderr: `billing mock: ${line}`, status: 1 });
  expect(shell('"$0" "$1" frobnicate > /dev/full 2> /dev/full', billingFile).status).toBe(2);
});
