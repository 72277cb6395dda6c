/** Returns the content of `src/client/package-version.ts`, so that the client does not import JSON at run time. */
export function packageVersionFile({ version }: { readonly version: string }): string {
  return `// Written by \`npm run generate\` from package.json.
/** The version of the package. */
export const PACKAGE_VERSION = ${JSON.stringify(version)};
`;
}
