import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import { orList, page, type Symbols, table } from "../markdown.ts";
import { PAGES, ROOT } from "../paths.ts";
import { type SiteVersion, siteVersions } from "../versions.ts";
import { writeExports } from "./exports/write-exports.ts";
import { errorPage } from "./lists/error-page.ts";
import { eventTypesPage } from "./lists/event-types-page.ts";
import { optionPage } from "./lists/option-page.ts";
import { overviewPage } from "./lists/overview-page.ts";
import { scopesPage } from "./lists/scopes-page.ts";
import { type OperationDocs, operationDocs } from "./operations/operation-docs.ts";
import { operationPage, requestLine } from "./operations/operation-page.ts";
import { sampleResponses } from "./operations/sample-responses.ts";
import { type SidebarItem, withOpen } from "./sidebar.ts";
import type { VersionDocs } from "./version-docs.ts";

/** What the guides and the navigation need to know of the reference. */
export interface WrittenReference {
  /** The navigation of each part of the reference, by the start of the part's address. */
  readonly sidebar: Readonly<Record<string, readonly SidebarItem[]>>;
  /** The entry points that all versions share, with their exports. */
  readonly shared: readonly SidebarItem[];
  /** The symbols of Current, to which guides link. */
  readonly symbols: Symbols;
}

/** Writes the reference of every version. */
export async function writeReference(): Promise<WrittenReference> {
  const sidebar: Record<string, readonly SidebarItem[]> = {};
  let current = { shared: [] as readonly SidebarItem[], symbols: {} as Symbols };
  // Current comes last.
  for (const version of siteVersions().toReversed()) {
    const exports = await writeExports(version);
    const { modules } = exports;
    const link = `/reference/${version.name}/`;
    const symbols = await writeVersionPages({ version: version.name, ...exports });
    writeFileSync(`${PAGES}${link}index.md`, overviewPage(version, exports));
    const base = navigationOf(version, symbols, modules);
    sidebar[link] = base;
    for (const module of modules) sidebar[module.link] = withOpen(base, module);
    current = { shared: modules.filter((each) => !each.link.startsWith(link)), symbols };
  }
  return { sidebar, ...current };
}

/** Writes the pages of a version's operations, and its lists. Returns the symbols, with the operations by their calls. */
export async function writeVersionPages(
  docs: VersionDocs,
  to = `${PAGES}/reference/${docs.version}`,
): Promise<Symbols> {
  const { version } = docs;
  const { contract } = await loadVersion(version);
  const document = await documentOf(version);
  const operations = await operationDocs(docs, contract, document);
  const addresses = operations.map((each) => [each.call, `/reference/${version}/operations/${fileOf(each)}`]);
  const symbols: Symbols = { ...docs.symbols, ...Object.fromEntries(addresses) };
  const source = { ...docs, symbols };
  mkdirSync(`${to}/operations`, { recursive: true });
  for (const each of operations) {
    const responses = await sampleResponses(each, version);
    writeFileSync(`${to}/operations/${fileOf(each)}.md`, operationPage({ ...source, docs: each, document, responses }));
  }
  writeFileSync(`${to}/operations/index.md`, operationList(operations, version, symbols));
  writeFileSync(`${to}/event-types.md`, await eventTypesPage(source, contract.webhookEventTypes));
  writeFileSync(`${to}/scopes.md`, scopesPage(source, contract.scopes, operations));
  writeFileSync(`${to}/options.md`, optionPage(source));
  writeFileSync(`${to}/errors.md`, errorPage(source));
  cpSync(`${ROOT}versions/${version}/openapi.json`, `${PAGES}/public/reference/${version}/openapi.json`);
  return symbols;
}

const fileOf = ({ call }: OperationDocs) => call.replace("billing.", "").replace(".", "-");

function operationList(operations: readonly OperationDocs[], version: string, symbols: Symbols): string {
  const rows = operations.map((docs) => {
    const scopes = orList(docs.operation.security.scopes.map((scope) => `\`${scope}\``));
    const { call } = docs;
    return [`[\`${call}()\`](${symbols[call]})`, docs.operation.summary, requestLine(docs), scopes || "none"];
  });
  const description = `The operations of the Billing Service API in version ${version}: methods, requests and scopes.`;
  const front = { title: "Operations", description, pageClass: "operation operation-list", aside: false };
  const text = `Every request carries \`Service-Version: ${version}\` and an access token.\n\n`;
  return page(front, text + table(["Method", "Operation", "Request", "Scope"], rows));
}

function navigationOf(
  { name }: SiteVersion,
  symbols: Symbols,
  modules: readonly SidebarItem[],
): readonly SidebarItem[] {
  const link = `/reference/${name}/`;
  const lists = ["Webhook event types", "Scopes", "Options", "Errors"].map((text) => {
    return { text, link: link + text.toLowerCase().replace("webhook ", "").replace(" ", "-") };
  });
  const calls = Object.entries(symbols).filter(([call]) => call.startsWith("billing."));
  return [
    { text: `API ${name}`, link, items: [{ text: "Overview", link }, ...lists] },
    {
      text: "Operations",
      link: `${link}operations/`,
      items: calls.map(([text, to]) => ({ text: text.slice(8), link: to })),
    },
    // Only the open entry point lists its exports.
    {
      text: "Entry points",
      link: `${link}client/`,
      items: modules.map((each) => ({ text: each.text, link: each.link })),
    },
  ];
}
