import { page, table } from "../../markdown.ts";
import type { SiteVersion } from "../../versions.ts";
import { summaryOf } from "../exports/export-page.ts";
import type { WrittenExports } from "../exports/write-exports.ts";

/** Writes the start page of a version's reference. */
export function overviewPage({ name, state }: SiteVersion, { project, modules }: WrittenExports): string {
  const rows = project.children?.map((one, index) => [`[\`${one.name}\`](${modules[index]?.link})`, summaryOf(one)]);
  const to = `/reference/${name}`;
  return page(
    {
      title: `API reference ${name}`,
      description: `The operations, webhook event types, scopes and exports of API version ${name} (${state}).`,
      pageClass: "reference-overview",
    },
    `- [Operations](${to}/operations/): the client's methods, with their requests, responses and errors
- [Webhook event types](${to}/event-types): with the rules, headers and payloads of deliveries
- [Scopes](${to}/scopes) of access tokens
- [Options](${to}/options) of all functions, with their defaults
- [Errors](${to}/errors): all error classes, and what to do about each
- [openapi.json](${to}/openapi.json): the OpenAPI document, in the package \`@billing-service/sdk/${name}/openapi.json\`

The exports of each entry point:

${table(["Entry point", "Contents"], rows ?? [])}`,
  );
}
