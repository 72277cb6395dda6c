/** Writes the file by which the client knows the version of its package, without importing JSON at run time. */
export function packageVersionFile({ version }: { readonly version: string }): string {
  return `// Written by \`npm run generate\` from package.json.
/** The version of the package. */
export const PACKAGE_VERSION = ${JSON.stringify(version)};
`;
}
