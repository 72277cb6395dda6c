/** Returns the content of `cli/generated/version-names.ts`. */
export function versionNamesFile(versions: readonly string[]): string {
  const names = versions.map((each) => JSON.stringify(each)).join(", ");
  return `// Written by \`npm run generate\` from the folders in versions/.

/** The versions that the package holds: Deprecated, Current and Next. */
export const versionNames = [${names}] as const;
`;
}
