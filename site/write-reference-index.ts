import type { ModuleItem } from "./reference.ts";
import type { SiteVersion } from "./versions.ts";
import { writePage } from "./write-guides.ts";

/** Writes the start page of a version's reference. */
export function writeReferenceIndex({ name, state }: SiteVersion, modules: readonly ModuleItem[]): void {
  const rows = modules.map(({ path, link, summary }) => `| [\`${path}\`](${link}) | ${summary} |`);
  const text = `# API reference ${name}

The [operations](/reference/${name}/operations/) of the API, the [options](/reference/${name}/options) of the main functions,
all [error classes](/reference/${name}/errors), and the exports of each entry point:

| Entry point | Contents |
| --- | --- |
${rows.join("\n")}

The OpenAPI document of this version is <a href="./openapi.json" target="_self">openapi.json</a>, in the package \`@billing-service/sdk/${name}/openapi.json\`.
`;
  const description = `The exports of every entry point for API version ${name} (${state}).`;
  writePage(
    `/reference/${name}/`,
    { title: `API reference ${name}`, description, pageClass: "reference-overview" },
    text,
  );
}
