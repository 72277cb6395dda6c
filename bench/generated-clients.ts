/**
 * Clients with more operations, and of more versions, than the package has: copies of the resources of version 2025-01, which
 * has six operations.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { compile, firstCallTime, root } from "./programs.ts";

const original = join(root, "versions/2025-01");
const SHARED = ["errors", "scopes", "timestamp", "webhook-event-types"];

/** The files with operations: the name of their type and of their function. */
const RESOURCES = {
  "webhook-endpoints": ["Webhooks", "webhooks"],
  events: ["Events", "events"],
  oauth2: ["OAuth2", "oauth2"],
  products: ["Products", "products"],
} as const;

/** The number of operations of a version without copies. */
export const OPERATIONS = 6;

const OPTIONS = { skipLibCheck: true, allowImportingTsExtensions: true };

const ID = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

/** A program with generated clients, in a folder of its own. */
export class GeneratedProgram {
  readonly #folder: string = mkdtempSync(join(root, "bench/.generated-"));

  /**
   * @param versions The number of versions, each with its own client.
   * @param operations The number of operations of a version, rounded to a multiple of six.
   * @param onlyOne Imports one operation of each version instead of its client.
   */
  constructor(versions: number, operations: number, onlyOne = false) {
    const names = Array.from({ length: versions }, (_, index) => `v${index}`);
    for (const name of names) this.#writeVersion(name, Math.round(operations / OPERATIONS));
    writeFileSync(join(this.#folder, "package.json"), '{ "type": "module", "sideEffects": false }');
    writeFileSync(join(this.#folder, "program.ts"), programOf(names, onlyOne));
    const files = ["program.ts", ...names.map((name) => `${name}/index.ts`)];
    const output = { rootDir: root, outDir: join(this.#folder, "types"), emitDeclarationOnly: true, declaration: true };
    compile("typescript-7", this.#folder, files, { ...OPTIONS, ...output });
    const declared = join(this.#folder, "types", this.#folder.slice(root.length));
    writeFileSync(join(declared, "program.ts"), programOf(names, onlyOne).replaceAll('.ts";', '.js";'));
  }

  /** Returns the size of the bundle in kB, minified. It is not compressed, because copies would compress to almost nothing. */
  async bundle(): Promise<number> {
    const outfile = join(this.#folder, "program.js");
    const entryPoints = [join(this.#folder, "program.ts")];
    await build({ entryPoints, outfile, bundle: true, minify: true, format: "esm", platform: "browser" });
    return readFileSync(outfile).length / 1000;
  }

  /** Returns how many seconds TypeScript 6 takes to check the program against the declarations of the clients. */
  checkTypes(): number {
    const program = join("types", this.#folder.slice(root.length), "program.ts");
    return compile("typescript", this.#folder, [program], { ...OPTIONS, noEmit: true });
  }

  /** Returns how many milliseconds the bundle takes to read an endpoint, without the start of Node.js. */
  firstCall(url: string): number {
    return firstCallTime(join(this.#folder, "program.js"), url);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #writeVersion(name: string, copies: number): void {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    const write = (file: string, text: string) =>
      writeFileSync(join(folder, file), text.replaceAll('"../../src/', '"../../../src/'));
    for (const file of SHARED) write(`${file}.ts`, readFileSync(join(original, `${file}.ts`), "utf8"));
    for (const file of Object.keys(RESOURCES)) {
      const text = readFileSync(join(original, `${file}.ts`), "utf8");
      for (let copy = 0; copy < copies; copy++) write(`${file}-${copy}.ts`, text);
    }
    write("index.ts", indexOf(copies));
    write("bind-version.ts", 'export { bindVersion } from "../../src/client/client.ts";\n');
  }
}

function programOf(versions: readonly string[], onlyOne: boolean): string {
  const call = (name: string) =>
    onlyOne
      ? `await bindVersion("2025-01", options).send(${name}, { path: { id: "${ID}" } });`
      : `await ${name}(options).webhooks0.getEndpoint("${ID}");`;
  return [
    ...versions.map((name) =>
      onlyOne
        ? `import { getWebhookEndpoint as ${name} } from "./${name}/webhook-endpoints-0.ts";`
        : `import { createClient as ${name} } from "./${name}/index.ts";`,
    ),
    ...(onlyOne ? ['import { bindVersion } from "./v0/bind-version.ts";'] : []),
    'const options = { accessToken: "token-of-benchmarks", baseUrl: process.argv[2] as string };',
    ...versions.map(call),
    "process.exit();\n",
  ].join("\n");
}

/** Returns the client of a version, as `versions/2025-01/index.ts` writes it. */
function indexOf(copies: number): string {
  const resources = Object.entries(RESOURCES).flatMap(([file, [type, bind]]) =>
    Array.from({ length: copies }, (_, copy) => ({ file: `${file}-${copy}`, type, bind, copy })),
  );
  return [
    'import { type BaseClient, bindVersion } from "../../src/client/client.ts";',
    'import type { ClientOptions } from "../../src/client/index.ts";',
    ...resources.map(
      ({ file, type, bind, copy }) =>
        `import { type ${type} as ${type}${copy}, ${bind} as ${bind}${copy} } from "./${file}.ts";`,
    ),
    "export interface BillingClient extends BaseClient {",
    ...resources.map(({ type, bind, copy }) => `  readonly ${bind}${copy}: ${type}${copy};`),
    "}",
    "export function createClient(options: ClientOptions): BillingClient {",
    '  const { send, base } = bindVersion("2025-01", options);',
    `  return { ...base, ${resources.map(({ bind, copy }) => `${bind}${copy}: ${bind}${copy}(send)`).join(", ")} };`,
    "}\n",
  ].join("\n");
}
