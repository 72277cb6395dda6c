// Prints how much code the project has, and how much of it runs: `npm run size:code`, with `--files` also the files that run.
import { globSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import jsTokens from "js-tokens";
import { createClient } from "#current";
import { createMock } from "../mock/index.ts";
import { bundleSize } from "./measure-size.ts";

const root = new URL("..", import.meta.url);
const PRODUCT = ["src", "versions", "mock", "conformance", "cli"];
const NOT_CODE = new Set(["WhiteSpace", "LineTerminatorSequence", "SingleLineComment", "MultiLineComment"]);

/** The number of files in folders, and of their lines that are neither blank nor a comment. */
function countCode(folders: readonly string[]): { readonly files: number; readonly lines: number } {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`);
  const files = globSync(patterns, { cwd: fileURLToPath(root), exclude: (name) => name === "node_modules" });
  const lines = files.map((file) => codeLines(readFileSync(new URL(file, root), "utf8"), file.endsWith(".tsx")));
  return { files: files.length, lines: lines.reduce((sum, count) => sum + count, 0) };
}

function codeLines(code: string, jsx: boolean): number {
  const lines = new Set<number>();
  let line = 0;
  for (const { type, value } of jsx ? jsTokens(code, { jsx }) : jsTokens(code)) {
    const parts = value.split(/\r?\n/);
    // A text of JSX may consist of the space between two tags.
    if (!NOT_CODE.has(type)) for (const [at, part] of parts.entries()) if (part.trim() !== "") lines.add(line + at);
    line += parts.length - 1;
  }
  return lines.size;
}

const session = new Session();

/** The files of the project with functions that run during an action, by V8's precise coverage. */
async function filesThatRun(action: () => Promise<unknown>): Promise<string[]> {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await action();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const own = result.filter(({ url }) => url.startsWith(root.href) && !url.includes("/node_modules/"));
  // The module itself counts as a function without a name that starts at 0.
  const running = own.filter(({ functions }) =>
    functions.some(
      ({ functionName, ranges: [range] }) =>
        (range?.count ?? 0) > 0 && (functionName !== "" || (range?.startOffset ?? 0) > 0),
    ),
  );
  return running.map(({ url }) => url.slice(root.href.length)).sort();
}

const mock = createMock();
const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
const endpoint = mock.webhookEndpoints.create();
mock.webhooks.receive(endpoint.url, () => new Response(null, { status: 204 }));

session.connect();
await session.post("Profiler.enable");
const ingest = await filesThatRun(() => billing.events.ingest([{ name: "api.call", external_customer_id: "acme" }]));
const delivery = await filesThatRun(async () => {
  mock.webhooks.emit("order.paid", { id: "ord_1" });
  await mock.webhooks.idle();
});

const [product, tests] = [countCode(PRODUCT), countCode(["test"])];
const inClient = ingest.filter((file) => /^(src|versions)\//.test(file));
const inMock = ingest.filter((file) => file.startsWith("mock/"));
const inDelivery = delivery.filter((file) => file.startsWith("mock/"));
const { gzipped } = await bundleSize(new URL("bench/programs/client.js", root));

const rows: readonly (readonly [string, string, (readonly string[])?])[] = [
  [`code lines of ${PRODUCT.join(", ")}`, `${product.lines} in ${product.files} files`],
  ["code lines of test", `${tests.lines} in ${tests.files} files`],
  ["files of src and versions that one events.ingest runs", `${inClient.length}`, inClient],
  ["files of mock that the same ingest runs", `${inMock.length}`, inMock],
  ["files of mock that one webhook delivery runs", `${inDelivery.length}`, inDelivery],
  ["one client, bundled, gzipped", `${(gzipped / 1000).toFixed(1)} kB`],
];
const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, size, files = []] of rows) {
  console.log(`${what.padEnd(width)}  ${size}`);
  if (process.argv.includes("--files")) for (const file of files) console.log(`  ${file}`);
}
session.disconnect();
