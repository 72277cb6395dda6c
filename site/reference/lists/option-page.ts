import type { DeclarationReflection } from "typedoc";
import { anchored, linkTypes, page, type Symbols, small, table } from "../../markdown.ts";
import { exportOf, parametersOf, textOf, type VersionDocs } from "../version-docs.ts";

/** The functions with options, each with the interface that describes them. */
const FUNCTIONS = {
  createClient: "ClientOptions",
  "A call": "CallOptions",
  "billing.request": "RequestOptions",
  createWebhookHandler: "WebhookHandlerOptions",
  verifyWebhook: "VerifyWebhookOptions",
  signWebhook: "SignWebhookOptions",
  createEventBuffer: "EventBufferOptions",
  sqliteOutbox: "SqliteOutboxOptions",
  redisOutbox: "RedisOutboxOptions",
  postgresOutbox: "PostgresOutboxOptions",
  postgresSeenStore: "PostgresSeenOptions",
  ingestAll: "IngestAllOptions",
  createMock: "MockOptions",
  "mock.issueToken": "TokenInput",
  "mock.fault": "FaultInput",
  "mock.webhooks.emit": "EmitOptions",
  "fixture.createClient": "TestClientOptions",
  startServer: "ServerOptions",
  "server.close": "CloseOptions",
  connectMock: "ConnectOptions",
};

const DEFAULT = /\s*\b(?:Defaults to ((?:[^.]|\.(?=\S))+)|([A-Z]\w+(?: \w+)?) by default)\./;
const UNIT = /\bin (milliseconds|seconds|bytes)\b/;

/** Writes the page with the options of all functions, from the doc comments. */
export function optionPage({ project, symbols, version }: VersionDocs): string {
  const sections = Object.entries(FUNCTIONS).map(([title, type]) => {
    const declaration = exportOf(type, project);
    // A function's own options come before those that it shares.
    const isShared = ({ inheritedFrom }: DeclarationReflection) => (inheritedFrom ? 1 : 0);
    const options = declaration.children?.toSorted((one, other) => isShared(one) - isShared(other)) ?? [];
    const rows = options.map((option) => rowOf(option, title, symbols));
    const summary = textOf(declaration.comment?.summary);
    const intro = `${summary} ${linkTypes(type, symbols)} is exported from \`${declaration.parent?.name}\`.\n`;
    return [`## ${title}\n`, intro, table(["Option", "Type", "Default", "Meaning"], rows)].join("\n");
  });
  const description = `Every option of ${Object.keys(FUNCTIONS).join(", ")}: type, unit, default and meaning.`;
  return page(
    { title: "Options", description, pageClass: "options", aside: true },
    `Unknown and invalid options throw an error that names them. Options of version ${version}; all versions have the same.\n\n${sections.join("\n")}`,
  );
}

function rowOf(option: DeclarationReflection, title: string, symbols: Symbols): readonly string[] {
  const { name, flags, signatures: [method] = [] } = option;
  const text = textOf((method ?? option).comment?.summary);
  if (text === "") throw new Error(`The option "${name}" has no doc comment, which the table of options needs.`);
  const type = method ? `(${parametersOf(method).join(", ")}) => ${method.type}` : typeOf(option);
  const [, stated, usual] = DEFAULT.exec(text) ?? [];
  const unit = type.includes("=>") ? undefined : UNIT.exec(text)?.[1];
  return [
    anchored(name, `${title.replaceAll(/\W+/g, "-")}-${name}`),
    linkTypes(type, symbols) + (unit === undefined ? "" : small([unit])),
    flags.isOptional ? (stated?.replaceAll(" to ", " ") ?? usual?.toLowerCase() ?? "") : "required",
    text.replace(DEFAULT, "").trim(),
  ];
}

/** Returns an option's type; for the name of a union of strings, the union. */
function typeOf({ type }: DeclarationReflection): string {
  const alias = type?.type === "reference" && type.reflection?.isDeclaration() ? type.reflection.type : undefined;
  const isUnion = alias?.type === "union" && alias.types.every((each) => each.type === "literal");
  return String(isUnion ? alias : type).replace(/ \| undefined$/, "");
}
