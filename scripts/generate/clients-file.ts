/** Returns the content of `cli/generated/clients.ts`, which lists the clients of all versions. */
export function clientsFile(versions: readonly string[]): string {
  const imports = versions.map(
    (each) => `import { createClient as ${nameOf(each)} } from "../../versions/${each}/index.ts";`,
  );
  const entries = versions.map((each) => `  "${each}": ${nameOf(each)},`);
  return `// Written by \`npm run generate\` from the folders in versions/.
${imports.join("\n")}

/** The function that creates a client of each version that the package holds, oldest version first. */
export const clients = {
${entries.join("\n")}
} as const;
`;
}

function nameOf(version: string): string {
  return `createClient${version.replace("-", "")}`;
}
