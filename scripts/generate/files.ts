import { existsSync, readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { apiReports } from "../api-report.ts";
import { versionNames } from "../entry-points.ts";
import { clientConstantsFile, namesFile, STATES, type State, withStateNote } from "./code.ts";
import { digestsOf, type Frozen, freeze } from "./freeze.ts";
import { calendarOf, changesSince, upgradesOf, withGeneratedBlock } from "./pages.ts";
import { coveragePage, proofs, ruleTitles } from "./rules.ts";
import { documentOf, loadVersion, nextSampleDocument } from "./version-source.ts";

const root = new URL("../../", import.meta.url);

/** Returns the content of every generated file, by its path from the root of the project. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const versions = versionNames();
  const documents = await Promise.all(versions.map(documentOf));
  const sources = await Promise.all(versions.map(loadVersion));
  const code = new Map([
    ...versions.map(clientFile),
    ["src/client/generated.ts", clientConstantsFile(versions, JSON.parse(committed("package.json") ?? "").version)],
    ["mock/generated/names.ts", namesFile(sources.map(({ contract }) => contract))],
  ]);
  const reports = apiReports(code);
  return new Map([
    ...code,
    ...[...reports].map(([name, text]) => [apiPath(name), apiFile(name, text)] as const),
    ...documents.map((document) => [`versions/${document.info.version}/openapi.json`, json(document)] as const),
    ...changesFiles(documents),
    ["examples/next-sample/CHANGES.md", await sampleChanges(documents.at(-1) as OpenApiDocument)],
    ["docs/versions.md", versionsPage(documents)],
    ["versions/frozen.json", json(freeze(digestsOf(documents, reports), frozen()))],
    ["test/rules/coverage.md", coveragePage(committed("docs/rules.md") ?? "", proofs())],
    ["conformance/rules.json", json(ruleTitles(committed("docs/rules.md") ?? ""))],
  ]);
}

/** Returns the path of an API report: in the folder of its version, or beside them if it is about what they share. */
function apiPath(name: string): string {
  return name === "shared" ? "versions/api.md" : `versions/${name}/api.md`;
}

function apiFile(name: string, declarations: string): string {
  return `# API report: ${name}\n\nWritten by \`npm run generate\`; see CONTRIBUTING.md.\n\n\`\`\`ts${declarations}\`\`\`\n`;
}

/** Returns `CHANGES.md` of every version except the oldest, which has no earlier version to compare with. */
function changesFiles(documents: readonly OpenApiDocument[]): (readonly [string, string])[] {
  return documents.slice(1).map((document, index) => {
    const { version } = document.info;
    const path = `versions/${version}/CHANGES.md`;
    const changes = changesSince(documents[index] as OpenApiDocument, document, document === documents.at(-1));
    return [path, withGeneratedBlock(committed(path) ?? `# ${version}\n`, changes)];
  });
}

/** Returns the guide to the versions, with their calendar and their differences. */
function versionsPage(documents: readonly OpenApiDocument[]): string {
  const page = withGeneratedBlock(committed("docs/versions.md") ?? "", calendarOf(versionNames()), "calendar");
  return withGeneratedBlock(page, upgradesOf(documents), "differences");
}

/** Returns `CHANGES.md` for the example of the version after Next. */
async function sampleChanges(released: OpenApiDocument): Promise<string> {
  const changes = changesSince(released, await nextSampleDocument(released.info.version), false);
  return withGeneratedBlock(committed("examples/next-sample/CHANGES.md") ?? "", changes);
}

/** Returns the file with the client of a version, which says whether the version is Deprecated or Next. */
function clientFile(version: string, index: number): readonly [string, string] {
  const path = `versions/${version}/index.ts`;
  return [path, withStateNote(committed(path) ?? "", version, STATES[index] as State)];
}

/** Returns the digests of the frozen versions that are committed. */
export function frozen(): Frozen {
  return JSON.parse(committed("versions/frozen.json") ?? "{}");
}

/** Returns the content of a file of the project; undefined if it does not exist. */
export function committed(path: string): string | undefined {
  const file = new URL(path, root);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
