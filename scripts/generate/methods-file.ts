import { globSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Send } from "../../src/client/index.ts";
import { PendingCall } from "../../src/client/pending-call.ts";

const versionsFolder = fileURLToPath(new URL("../../versions/", import.meta.url));

/** Returns the content of `cli/generated/methods.ts`: the method of the client for each operation, by version. */
export async function methodsFile(versions: readonly string[]): Promise<string> {
  const entries = await Promise.all(versions.map(async (version) => entryOf(version, await methodsOf(version))));
  return `// Written by \`npm run generate\` from the resources in versions/.

/** The method of the client that calls an operation, by the id of the operation, for each version. */
export const methods = {
${entries.join("\n")}
} as const;
`;
}

function entryOf(version: string, methods: Readonly<Record<string, string>>): string {
  const lines = Object.entries(methods).map(([id, method]) => `    "${id}": "${method}",`);
  return `  "${version}": {\n${lines.join("\n")}\n  },`;
}

/** Calls every method of the resources of a version with a \`send\` that only notes the operation. */
async function methodsOf(version: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const file of globSync(`${version}/resources/*.ts`, { cwd: versionsFolder }).sort()) {
    const module: Record<string, unknown> = await import(pathToFileURL(versionsFolder + file).href);
    for (const [resource, bind] of Object.entries(module)) {
      if (typeof bind === "function") Object.assign(found, methodsOfResource(resource, bind as Bind));
    }
  }
  return found;
}

type Bind = (send: Send) => object;

function methodsOfResource(resource: string, bind: Bind): Record<string, string> {
  const found: Record<string, string> = {};
  let method = "";
  const send = ({ id }: { readonly id: string }) => {
    found[id] = `${resource}.${method}`;
    return new PendingCall(new Promise<never>(() => {}));
  };
  for (const [name, call] of Object.entries(bind(send as unknown as Send))) {
    method = name;
    call();
  }
  return found;
}
