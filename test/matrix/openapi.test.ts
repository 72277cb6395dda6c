import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { startServer } from "../../mock/server.ts";
import { versionNames } from "../../scripts/entry-points.ts";
import { run } from "../isolation/workspace.ts";
import { createConsumer, write } from "./consumer.ts";
import { describeMatrix } from "./describe-matrix.ts";

const source = readFileSync(fileURLToPath(new URL("programs/openapi-client.ts", import.meta.url)), "utf8");

const compilerOptions = {
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  module: "nodenext",
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

describeMatrix("the OpenAPI document in the tarball", () => {
  let consumer: string;
  beforeAll(() => {
    consumer = createConsumer();
  });

  /** Runs a tool that is installed in the consumer. */
  const runTool = (file: string, ...parameters: readonly string[]) =>
    run(process.execPath, [join(consumer, "node_modules", file), ...parameters], consumer);

  it.each(versionNames())("of %s gives other tools a typed client, which works with the mock", async (version) => {
    const program = write(consumer, `${version}/client.mts`, source.replace('"2025-01"', JSON.stringify(version)));
    const folder = dirname(program);
    const document = `node_modules/@billing-service/sdk/versions/${version}/openapi.json`;
    const generated = await runTool("openapi-typescript/bin/cli.js", document, "--output", join(folder, "api.d.ts"));
    expect(generated.status, generated.output).toBe(0);
    const project = write(folder, "tsconfig.json", JSON.stringify({ compilerOptions, files: ["client.mts"] }));
    expect(await runTool("typescript/bin/tsc", "--project", project)).toEqual({ status: 0, output: "" });

    const server = await startServer();
    onTestFinished(() => server.close({ grace: 0 }));
    for (const name of ["Bread", "Rolls", "Cake"]) server.mock.products.create({ name });
    const { output } = await run(process.execPath, [program, server.url, server.mock.issueToken()], folder);
    expect(JSON.parse(output)).toEqual({
      created: [201, "order.paid"],
      read: version,
      updated: "Shop",
      ingested: { inserted: 1, duplicates: 0 },
      authorized: "organization",
      label: "string",
      products: 2,
      missing: "ResourceNotFound",
      invalid: [["path", "id", "uuid_parsing"]],
    });
  });
});
