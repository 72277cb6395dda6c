import { cpSync, writeFileSync } from "node:fs";
import { llmsFullText, llmsText } from "./llms.ts";
import type { SiteModel } from "./model.ts";
import { OUTPUT, ROOT } from "./paths.ts";
import { siteVersions } from "./versions.ts";

/** Writes what all versions share: the page that leads to Current, the OpenAPI documents, and texts for machines. */
export function writeRoot(current: SiteModel): void {
  const { name } = current.version;
  writeFileSync(`${OUTPUT}/index.html`, redirectTo(`${name}/index.html`));
  writeFileSync(`${OUTPUT}/llms.txt`, llmsText(current));
  writeFileSync(`${OUTPUT}/llms-full.txt`, llmsFullText(current));
  for (const version of siteVersions()) {
    cpSync(`${ROOT}versions/${version.name}/openapi.json`, `${OUTPUT}/${version.name}/openapi.json`);
  }
}

function redirectTo(url: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Billing Service SDK</title>
<meta http-equiv="refresh" content="0; url=${url}">
</head>
<body><main><h1>Billing Service SDK</h1><p><a href="${url}">Documentation of the Current version</a></p></main></body>
</html>
`;
}
