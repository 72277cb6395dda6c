import { globSync } from "node:fs";
import { ROOT } from "../paths.ts";
import { allMembers, type Declaration, declarationsIn, literalUnions, type Member } from "./doc-comments.ts";
import { linkTypes, page, small, table } from "./markdown.ts";

/** A function with options, and the interface that describes them. */
interface Documented {
  readonly title: string;
  readonly type: string;
  /** The import path below the package; `{version}` is the page's version. */
  readonly from: string;
}

const functions: readonly Documented[] = [
  { title: "createClient", type: "ClientOptions", from: "{version}" },
  { title: "Call options", type: "CallOptions", from: "{version}" },
  { title: "createMock", type: "MockOptions", from: "mock" },
  { title: "createEventBuffer", type: "EventBufferOptions", from: "usage" },
  { title: "ingestAll", type: "IngestAllOptions", from: "usage" },
  { title: "createWebhookHandler", type: "HandlerOptions", from: "{version}/webhooks" },
];

const DEFAULT = /\s*\bDefaults to ((?:[^.]|\.(?=\S))+)\./;

/** Writes the page with the options of all functions, from the doc comments. */
export function optionPage(version: string, typePages: ReadonlyMap<string, string>): string {
  const files = globSync(["src/**/*.ts", "mock/**/*.ts"], { cwd: ROOT }).map((file) => ROOT + file);
  const declarations = declarationsIn(files);
  const unions = literalUnions(files);
  const sections = functions.map((each) => section(each, { version, declarations, unions, typePages }));
  const description =
    "Every option of createClient, a call, createMock, createEventBuffer, ingestAll and createWebhookHandler: type, default and meaning.";
  return page(
    { title: "Options", description, pageClass: "options" },
    `Unknown and invalid options throw an error that names them.\n\n${sections.join("\n")}`,
  );
}

interface Sources {
  readonly version: string;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly unions: ReadonlyMap<string, string>;
  readonly typePages: ReadonlyMap<string, string>;
}

function section({ title, type, from }: Documented, sources: Sources): string {
  const { version, declarations, unions, typePages } = sources;
  const rows = allMembers(type, declarations).map((member) => rowOf(member, unions));
  const path = `@billing-service/sdk/${from.replace("{version}", version)}`;
  return [
    `## ${title}\n`,
    `${linkTypes(type, typePages)} from \`${path}\`.\n`,
    table(["Option and type", "Default", "Meaning"], rows),
  ].join("\n");
}

function rowOf({ name, type, optional, comment: { text } }: Member, unions: Sources["unions"]): readonly string[] {
  if (text === "") throw new Error(`The option "${name}" has no doc comment, which the table of options needs.`);
  const stated = DEFAULT.exec(text)?.[1]?.replace("otherwise to", "otherwise");
  const meaning = text.replace(DEFAULT, "").trim();
  const facts = small([`\`${unions.get(type) ?? type}\``, optional ? "" : "required"]);
  return [`\`${name}\`${facts}`, stated ?? "", meaning];
}
