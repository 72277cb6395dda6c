import { mkdirSync, writeFileSync } from "node:fs";
import type { DeclarationReflection, ProjectReflection, SignatureReflection } from "typedoc";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import { orList, page, type Symbols, small, table } from "../markdown.ts";
import { exportOf } from "./doc-comments.ts";
import { errorPage } from "./lists/error-page.ts";
import { optionPage } from "./lists/option-page.ts";
import { operationDocs } from "./operations/operation-docs.ts";
import { operationPage, requestLine, titleOf } from "./operations/operation-page.ts";
import { sampleResponses } from "./operations/sample-responses.ts";

/** An entry of the navigation, as VitePress reads it. */
export interface SidebarItem {
  readonly text: string;
  readonly link: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** What a version's pages are written from. */
export interface PageSource {
  readonly version: string;
  /** The version's exports, with their doc comments. */
  readonly project: ProjectReflection;
  readonly symbols: Symbols;
}

/** Writes a page for each of a version's operations to a folder, and one that lists them. */
export async function writeOperationPages(to: string, source: PageSource): Promise<SidebarItem[]> {
  const { version, project } = source;
  const document = await documentOf(version);
  const { models } = await loadVersion(version);
  const client = exportOf("BillingClient", project);
  const items: SidebarItem[] = [];
  const rows: string[][] = [];
  mkdirSync(to, { recursive: true });
  for (const docs of await operationDocs(version, document)) {
    const { resource, method, operation } = docs;
    const { type } = client.getChildByName(resource) as DeclarationReflection;
    const declared = exportOf(String(type), project).getChildByName(method) as DeclarationReflection;
    const [signature] = declared.signatures as [SignatureReflection];
    const responses = await sampleResponses(docs, version, models);
    const text = operationPage({ ...source, docs, document, signature, responses });
    writeFileSync(`${to}/${resource}-${method}.md`, text);
    const link = `/reference/${version}/operations/${resource}-${method}`;
    items.push({ text: titleOf(docs), link });
    const scopes = orList(operation.security.scopes.map((scope) => `\`${scope}\``));
    const call = small([`\`billing.${resource}.${method}\``]);
    rows.push([`[${titleOf(docs)}](${link})${call}`, requestLine(docs), scopes || "none"]);
  }
  const description = `The operations of the Billing Service API in version ${version}: calls, requests, parameters, responses and errors.`;
  const front = { title: "Operations", description, pageClass: "operation operation-list", aside: false };
  const text = `Every request carries \`Service-Version: ${version}\` and an access token. Names in \`billing.…\` are the client's methods.\n\n`;
  writeFileSync(`${to}/index.md`, page(front, text + table(["Operation and call", "Request", "Scope"], rows)));
  return items;
}

/** Writes the pages with the options of all functions and with all error classes to a folder that exists. */
export function writeOptionAndErrorPages(to: string, source: PageSource): SidebarItem[] {
  const { version, project, symbols } = source;
  writeFileSync(`${to}/options.md`, optionPage(project, symbols));
  writeFileSync(`${to}/errors.md`, errorPage(source));
  return ["Options", "Errors"].map((text) => ({ text, link: `/reference/${version}/${text.toLowerCase()}` }));
}
