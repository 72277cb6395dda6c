import type { DeclarationReflection, ProjectReflection } from "typedoc";
import { linkTypes, page, type Symbols, small, table } from "../../markdown.ts";
import { exportOf, parametersOf, textOf } from "../doc-comments.ts";

/** The functions with options, each with the interface that describes them. */
const FUNCTIONS = {
  createClient: "ClientOptions",
  "Call options": "CallOptions",
  createMock: "MockOptions",
  createEventBuffer: "EventBufferOptions",
  ingestAll: "IngestAllOptions",
  createWebhookHandler: "HandlerOptions",
};

const HEAD = ["Option and type", "Default", "Meaning"];
const DEFAULT = /\s*\bDefaults to ((?:[^.]|\.(?=\S))+)\./;

/** Writes the page with the options of all functions, from the doc comments. */
export function optionPage(project: ProjectReflection, symbols: Symbols): string {
  const sections = Object.entries(FUNCTIONS).map(([title, type]) => {
    const declaration = exportOf(type, project);
    // A function's own options come before those that it shares.
    const isShared = ({ inheritedFrom }: DeclarationReflection) => (inheritedFrom ? 1 : 0);
    const rows = declaration.children?.toSorted((one, other) => isShared(one) - isShared(other)).map(rowOf) ?? [];
    const intro = `${linkTypes(type, symbols)} from \`${declaration.parent?.name}\`.\n`;
    const unused = rows.every(([, stated]) => stated === "") ? 1 : 0;
    const [head = [], ...cells] = [HEAD, ...rows].map((row) => row.toSpliced(1, unused));
    return [`## ${title}\n`, intro, table(head, cells)].join("\n");
  });
  const description =
    "Every option of createClient, a call, createMock, createEventBuffer, ingestAll and createWebhookHandler: type, default and meaning.";
  return page(
    { title: "Options", description, pageClass: "options" },
    `Unknown and invalid options throw an error that names them.\n\n${sections.join("\n")}`,
  );
}

function rowOf(option: DeclarationReflection): readonly string[] {
  const { name, flags, signatures: [method] = [] } = option;
  const text = textOf((method ?? option).comment?.summary);
  if (text === "") throw new Error(`The option "${name}" has no doc comment, which the table of options needs.`);
  const type = method ? `(${parametersOf(method).join(", ")}) => ${method.type}` : typeOf(option);
  const stated = DEFAULT.exec(text)?.[1]?.replace("otherwise to", "otherwise");
  const facts = small([`\`${type}\``, flags.isOptional ? "" : "required"]);
  return [`\`${name}\`${facts}`, stated ?? "", text.replace(DEFAULT, "").trim()];
}

/** Returns an option's type; for the name of a union of strings, the union. */
function typeOf({ type }: DeclarationReflection): string {
  const alias = type?.type === "reference" && type.reflection?.isDeclaration() ? type.reflection.type : undefined;
  const isUnion = alias?.type === "union" && alias.types.every((each) => each.type === "literal");
  return String(isUnion ? alias : type).replace(/ \| undefined$/, "");
}
