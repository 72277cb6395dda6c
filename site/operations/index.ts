import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { documentOf, loadVersion } from "../../scripts/generate/version-source.ts";
import { ROOT } from "../paths.ts";
import { allMembers, declarationsIn, type Member } from "./doc-comments.ts";
import { errorPage } from "./error-page.ts";
import { orList, page, small, table } from "./markdown.ts";
import { operationDocs } from "./operation-docs.ts";
import { operationPage, requestLine, titleOf } from "./operation-page.ts";
import { optionPage } from "./option-page.ts";
import { sampleResponses } from "./sample-responses.ts";

/** An entry of the navigation, as VitePress reads it. */
export interface SidebarItem {
  readonly text: string;
  readonly link: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** The destination of a version's pages. */
export interface PageTarget {
  readonly version: string;
  /** The folder. */
  readonly to: string;
  /** The addresses of the pages of types, by the type's name. Types without a page are not linked. */
  readonly typePages?: ReadonlyMap<string, string>;
}

/** Writes a page for each of a version's operations, and one that lists them. */
export async function writeOperationPages({ version, to, typePages = new Map() }: PageTarget): Promise<SidebarItem[]> {
  const document = await documentOf(version);
  const { models } = await loadVersion(version);
  const methods = methodsOf(version);
  mkdirSync(to, { recursive: true });
  const items: SidebarItem[] = [];
  const rows: string[][] = [];
  for (const docs of await operationDocs(version, document)) {
    const { resource, method, operation } = docs;
    const responses = await sampleResponses(docs, version, models);
    const text = operationPage({ version, docs, document, member: methods(resource, method), responses, typePages });
    const link = `/reference/${version}/operations/${resource}-${method}`;
    writeFileSync(`${to}/${resource}-${method}.md`, text);
    items.push({ text: titleOf(docs), link });
    const scopes = orList(operation.security.scopes.map((scope) => `\`${scope}\``));
    const call = small([`\`billing.${resource}.${method}\``]);
    rows.push([`[${titleOf(docs)}](${link})${call}`, requestLine(docs), scopes || "none"]);
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

/** Returns a function that finds a client method's declaration. */
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

/** Writes the pages with the options of all functions and with all error classes. */
export function writeOptionAndErrorPages({ version, to, typePages = new Map() }: PageTarget): SidebarItem[] {
  mkdirSync(to, { recursive: true });
  writeFileSync(`${to}/options.md`, optionPage(version, typePages));
  writeFileSync(`${to}/errors.md`, errorPage(version));
  const link = `/reference/${version}`;
  return [
    { text: "Options", link: `${link}/options` },
    { text: "Errors", link: `${link}/errors` },
  ];
}
