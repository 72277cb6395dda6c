import { readFileSync } from "node:fs";
import type { GuidePage, OperationPage, SiteModel } from "./model.ts";
import { ROOT } from "./paths.ts";
import { siteVersions } from "./versions.ts";

const TITLE = "# Billing Service SDK\n";
const SUMMARY =
  "> TypeScript clients for the Billing Service API, one per API version, and a mock of the service that obeys its rules.\n";

/** Returns `llms.txt` (llmstxt.org): links to the guides, the operations and the OpenAPI documents. */
export function llmsText(current: SiteModel): string {
  const { name } = current.version;
  const guides = current.guides.map(({ title, guides: list }) => [
    `## ${title}\n`,
    ...list.map((guide) => `- [${guide.title}](${name}/${guide.url}): ${guide.summary}`),
    "",
  ]);
  const operations = current.operations.map((operation) => `- ${operationLine(operation)}`);
  const parts = [TITLE, SUMMARY, `${aboutVersions()}\n`, ...guides.flat(), "## Operations\n", ...operations, ""];
  return [...parts, ...documents(), "- [All guides in one file](llms-full.txt)", ""].join("\n");
}

/** Returns `llms-full.txt`: the guides in full, and an example of each operation. */
export function llmsFullText(current: SiteModel): string {
  const guides = current.guides.slice(0, -1).flatMap((group) => group.guides.map(guideText));
  const operations = current.operations.map(
    (operation) => `### ${operationLine(operation)}\n\n${examplesText(operation)}`,
  );
  return [TITLE, SUMMARY, `${aboutVersions()}\n`, ...documents(), "", ...guides, "# Operations\n", ...operations].join(
    "\n",
  );
}

function documents(): readonly string[] {
  const links = siteVersions().map(({ name, state }) => {
    return `- [OpenAPI ${name}](${name}/openapi.json): the contract of ${name} (${state})`;
  });
  return ["## OpenAPI documents\n", ...links];
}

function aboutVersions(): string {
  const list = siteVersions().map(({ name, state }) => `${name} (${state})`);
  return `API versions: ${list.join(", ")}. Import the client of a version from \`@billing-service/sdk/<version>\`.`;
}

function operationLine({ resource, method, httpMethod, path, summary, scopes }: OperationPage): string {
  const scope = scopes.length === 0 ? "No scope." : `Scope: ${scopes.join(" or ")}.`;
  return `\`billing.${resource}.${method}\`: ${httpMethod} ${path}. ${summary} ${scope}`;
}

function guideText({ file, title }: GuidePage): string {
  return `# ${title}\n\n${readFileSync(ROOT + file, "utf8").replace(/^# .*\n+/, "")}`;
}

function examplesText({ examples }: OperationPage): string {
  return examples.map(({ language, code }) => `\`\`\`${language}\n${code}\`\`\`\n`).join("\n");
}
