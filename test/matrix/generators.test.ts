import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { versions } from "../support/clients.ts";
import { freePort } from "../support/local-server.ts";
import { newFolder } from "../support/new-folder.ts";
import { CURRENT, NEXT } from "../support/versions.ts";
import { run } from "../support/workspace.ts";
import { write } from "./consumer.ts";
import { describeMatrix } from "./describe-matrix.ts";

const tool = (name: string) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));
const documentFile = fileURLToPath(new URL(`../../versions/${NEXT}/openapi.json`, import.meta.url));

/** Calls with the version of the document, with another and without one. */
const PROGRAM = `
import createClient from "openapi-fetch";
import { productsList } from "./hey-api/index.ts";
import type { paths } from "./schema.d.ts";

const client = createClient<paths>({ baseUrl: "https://billing.example" });
await client.GET("/v1/products/", { params: { header: { "Service-Version": "${NEXT}" } } });
await productsList({ headers: { "Service-Version": "${NEXT}" } });
// @ts-expect-error
await client.GET("/v1/products/", { params: { header: { "Service-Version": "${CURRENT}" } } });
// @ts-expect-error
await client.GET("/v1/products/");
// @ts-expect-error
await productsList({ headers: { "Service-Version": "${CURRENT}" } });
`;

describeMatrix("the OpenAPI document", () => {
  it("makes clients that compile, and only with their version: openapi-typescript and Hey API", async () => {
    const folder = newFolder();
    symlinkSync(fileURLToPath(new URL("node_modules", import.meta.url)), `${folder}/node_modules`);
    write(folder, "program.ts", PROGRAM);
    const modules = ["--module", "preserve", "--moduleResolution", "bundler", "--allowImportingTsExtensions"];
    for (const [name, ...parameters] of [
      ["openapi-typescript", documentFile, "-o", "schema.d.ts"],
      ["openapi-ts", "-i", documentFile, "-o", "hey-api", "--silent"],
      ["tsc", "program.ts", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", ...modules],
    ] as const)
      expect(await run(tool(name), parameters, folder)).toMatchObject({ status: 0 });
  });

  it("makes a mock whose responses the client accepts: Prism", async () => {
    const port = await freePort();
    const prism = spawn(tool("prism"), ["mock", "-p", String(port), documentFile], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void prism.kill());
    for (let output = ""; !output.includes("listening"); ) output += String(await once(prism.stdout, "data"));
    const strict = { onResponseMismatch: "throw", onVersionMismatch: "throw" } as const;
    const { webhooks, events, oauth2, products } = versions[NEXT].createClient({
      ...{ accessToken: "token", baseUrl: `http://127.0.0.1:${port}`, ...strict },
    });
    const [id, name] = [crypto.randomUUID(), "api.call"];
    const calls = [
      products.list(),
      oauth2.authorize(),
      webhooks.getEndpoint(id),
      events.ingest([{ name, customer_id: id }]),
    ];
    for (const call of calls) expect(await call.safe()).toMatchObject({ ok: true });
  });

  it("makes a collection whose requests name the version: Postman's converter", async () => {
    const { convert } = createRequire(import.meta.url)("openapi-to-postmanv2");
    const data = { type: "file", data: documentFile };
    const { output } = await new Promise<{ output: [{ data: object }] }>((resolve) =>
      convert(data, {}, (_: unknown, result: { output: [{ data: object }] }) => resolve(result)),
    );
    const text = JSON.stringify(output[0].data);
    expect(text.match(/"key":"Service-Version","value":"[^"]*"/g)).toContain(
      `"key":"Service-Version","value":"${NEXT}"`,
    );
  });
});
