import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import { ROOT } from "../paths.ts";
import { boundOperations } from "./bound-operations.ts";
import { allMembers, declarationsIn, type Member } from "./doc-comments.ts";
import { errorPage } from "./error-page.ts";
import { orList, page, small, table } from "./markdown.ts";
import { operationDocs } from "./operation-docs.ts";
import { operationPage, requestLine, titleOf } from "./operation-page.ts";
import { optionPage } from "./option-page.ts";
import { sampleResponses } from "./sample-responses.ts";

/** An entry of the navigation. */
export interface SidebarItem {
  readonly text: string;
  readonly link: string;
}

/** Where pages of a version are written to. */
export interface PageTarget {
  readonly version: string;
  /** The folder. */
  readonly to: string;
  /** The addresses of the pages of types, by the type's name. Types without a page are not linked. */
  readonly typePages?: ReadonlyMap<string, string>;
}

/** Writes a page for each operation of a version, and one that lists them. */
export async function writeOperationPages({ version, to, typePages = new Map() }: PageTarget): Promise<SidebarItem[]> {
  const document = await documentOf(version);
  const { models } = await loadVersion(version);
  const docs = await operationDocs(version, document);
  const bound = await boundOperations(version);
  const methods = methodsOf(version);
  mkdirSync(to, { recursive: true });
  const items: SidebarItem[] = [];
  const rows: string[][] = [];
  for (const [index, operation] of bound.entries()) {
    const facts = docs[index] as (typeof docs)[number];
    const call = `${operation.resource}.${operation.method}`;
    const responses = await sampleResponses(operation, version, facts, models);
    const member = methods(operation.resource, operation.method);
    const text = operationPage({ version, bound: operation, docs: facts, document, member, responses, typePages });
    const name = `${operation.resource}-${operation.method}`;
    const link = `/reference/${version}/operations/${name}`;
    writeFileSync(`${to}/${name}.md`, text);
    items.push({ text: titleOf(facts), link });
    const scopes = orList(facts.scopes.map((scope) => `\`${scope}\``));
    rows.push([`[${titleOf(facts)}](${link})${small([`\`billing.${call}\``])}`, requestLine(facts), scopes || "none"]);
  }
  writeFileSync(`${to}/index.md`, overview(version, rows));
  return items;
}

function overview(version: string, rows: readonly (readonly string[])[]): string {
  const description = `The operations of the Billing Service API in version ${version}: calls, requests, parameters, responses and errors.`;
  const text = `Every request carries \`Service-Version: ${version}\` and an access token. Names in \`billing.…\` are the client's methods.\n\n`;
  const front = { title: "Operations", description, pageClass: "operation operation-list", aside: false };
  return page(front, text + table(["Operation and call", "Request", "Scope"], rows));
}

/** Returns a function that finds the declaration of a method of the client. */
function methodsOf(version: string): (resource: string, method: string) => Member {
  const files = globSync(`${ROOT}versions/${version}/*.ts`);
  const declarations = declarationsIn(files);
  const find = (type: string, name: string): Member => {
    const member = allMembers(type, declarations).find((each) => each.name === name);
    if (member === undefined) throw new Error(`versions/${version}: the interface ${type} has no member "${name}".`);
    return member;
  };
  return (resource, method) => find(find("BillingClient", resource).type, method);
}

/** Writes the page with the options of all functions. */
export async function writeOptionPages({ version, to, typePages = new Map() }: PageTarget): Promise<SidebarItem[]> {
  return writePage(
    to,
    "options",
    { text: "Options", link: `/reference/${version}/options` },
    optionPage(version, typePages),
  );
}

/** Writes the page with all error classes. */
export async function writeErrorPages({ version, to }: PageTarget): Promise<SidebarItem[]> {
  return writePage(to, "errors", { text: "Errors", link: `/reference/${version}/errors` }, errorPage(version));
}

function writePage(to: string, name: string, item: SidebarItem, text: string): SidebarItem[] {
  mkdirSync(to, { recursive: true });
  writeFileSync(`${to}/${name}.md`, text);
  return [item];
}
