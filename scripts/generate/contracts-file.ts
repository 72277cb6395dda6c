/** Returns the content of `mock/generated/contracts.ts`, which lists the contracts of all versions. */
export function contractsFile(versions: readonly string[]): string {
  const imports = versions.map(
    (each) => `import { contract as ${nameOf(each)} } from "../../versions/${each}/contract.ts";`,
  );
  return `// Written by \`npm run generate\` from the folders in versions/.
import type { Contract } from "../../src/contract/index.ts";
${imports.join("\n")}

/** The contract of every version that the package holds, oldest first. */
export const contracts: readonly Contract[] = [${versions.map(nameOf).join(", ")}];
`;
}

function nameOf(version: string): string {
  return `contract${version.replace("-", "")}`;
}
