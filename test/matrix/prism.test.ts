import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { billing, fileWith } from "../support/command.ts";
import { freePort } from "../support/local-server.ts";
import { describeMatrix } from "./describe-matrix.ts";
import { matrixModules } from "./install.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = join(root, "docs/conformance-report.md");

const INTRODUCTION = `This is an example of \`billing conformance --markdown\`; see [Check the mock against your service](check-your-service.md). It does
not describe the Billing Service or this package, but Prism 5, which knows only the OpenAPI document of version 2025-01 and responds with the document's examples. Most rules that
the document cannot express therefore do not hold.`;

describeMatrix("Prism, which serves the OpenAPI document of 2025-01", () => {
  it("gets an honest report, the one in the docs", async () => {
    const url = await startPrism();
    const tokens = fileWith(JSON.stringify(["oidc", "pat", "oat"].map((kind) => ({ kind, token: `prism-${kind}` }))));
    const args = ["conformance", "--base-url", url, "--tokens", tokens, "--version", "2025-01", "--markdown"];
    const { stdout, code } = await billing(args).ended;
    // Prism says that the endpoint is still enabled.
    expect(code).toBe(1);
    const report = withoutChance(stdout, url);
    if (process.env["UPDATE_REPORT"]) writeFileSync(page, report);
    expect(failures(report), "run this test with UPDATE_REPORT=1").toEqual(failures(readFileSync(page, "utf8")));
    expect(failures(report)).toEqual(expect.arrayContaining(["GET-2", "VER-5", "products:list"]));
    expect(report).toContain("| ERR-3 |");
  });
});

/** Starts Prism on a free port, and waits until it listens. */
async function startPrism(): Promise<string> {
  const port = await freePort();
  const program = `${matrixModules}@stoplight/prism-cli/dist/index.js`;
  const document = join(root, "versions/2025-01/openapi.json");
  const prism = spawn(process.execPath, [program, "mock", "-h", "127.0.0.1", "-p", String(port), document]);
  onTestFinished(() => void prism.kill());
  await new Promise<void>((resolve, reject) => {
    prism.stdout.setEncoding("utf8").on("data", (text: string) => text.includes("is listening") && resolve());
    prism.on("exit", (code) => reject(new Error(`Prism ended with ${code}.`)));
  });
  return `http://127.0.0.1:${port}`;
}

/** Returns a report without the address, the time and the ids of its run. */
function withoutChance(report: string, url: string): string {
  const run = /conformance ([\da-f]{8})/.exec(report)?.[1] ?? "";
  return report
    .replaceAll(url, "http://127.0.0.1:4010")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z")
    .replaceAll(new RegExp(`${run}-[\\da-f]{4}-[\\da-f-]{22}`, "g"), "00000000-0000-4000-8000-000000000001")
    .replaceAll(run, "00000000")
    .replace("# Conformance report\n", `# Example: a report on Prism\n\n${INTRODUCTION}\n`);
}

/** Returns the ids of what does not hold. */
function failures(report: string): string[] {
  const [, section = ""] = /^## Does not hold$([\s\S]*?)^## /m.exec(report) ?? [];
  return [...section.matchAll(/^\| ([\w:-]+) \| (?!rule)/gm)].map(([, id]) => id ?? "").filter((id) => id !== "---");
}
