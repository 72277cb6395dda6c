import type ts from "typescript";
import { entryPoints } from "../entry-points.ts";
import { declarationProgram, type Replacements } from "./declaration-program.ts";
import { type Declaration, reachableDeclarations, type Surface } from "./reachable-declarations.ts";

/** The reports about everything that users can import. */
export interface ApiReports {
  /** The content of each report, by its path from the root of the project. */
  readonly files: ReadonlyMap<string, string>;
  /** What each version declares in its own files, by the name of the version. */
  readonly versions: ReadonlyMap<string, string>;
}

/** The report of the declarations that several entry points share. */
const SHARED = "api/shared.md";

/**
 * Reports what each entry point exports, with signatures and without prose. A declaration of a version, or of an entry point
 * itself, is in the report of the entry point; every other one is in the report of the shared declarations.
 *
 * @param replacements Contents that replace source files.
 */
export function apiReports(replacements: Replacements = new Map()): ApiReports {
  const sources = entryPoints();
  const program = declarationProgram(Object.values(sources), replacements);
  const entries = Object.entries(sources).map(([name, source]) => {
    const file = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/${source}`)) as ts.SourceFile;
    return entryOf(name, source, reachableDeclarations(program, file));
  });
  const shared = sorted(entries.flatMap((each) => each.shared));
  const files = entries.map((each) => [reportPath(each.name), reportOf(each)] as const);
  return { files: new Map([...files, [SHARED, sharedReport(shared)]]), versions: ownByVersion(entries) };
}

interface Entry {
  /** The name of the entry point as users import it, without the name of the package. */
  readonly name: string;
  /** The version that the entry point belongs to. */
  readonly version: string | undefined;
  /** The declarations of the version or of the entry point itself, exported or not. */
  readonly own: readonly string[];
  /** The exported names that are declared elsewhere. */
  readonly sharedNames: readonly string[];
  readonly shared: readonly string[];
}

function entryOf(output: string, source: string, { exported, all }: Surface): Entry {
  const version = /^versions\/([^/]+)\//.exec(source)?.[1];
  const folder = version === undefined ? source : `versions/${version}/`;
  const isOwn = ({ file }: Declaration) => file.startsWith(folder);
  const names = new Map([...exported].map(([name, declaration]) => [declaration, name]));
  const write = (each: Declaration) => (names.has(each) ? `export ${each.text}` : each.text);
  return {
    name: output.replace(/^versions\//, "").replace(/\/?index$/, ""),
    version,
    own: sorted(all.filter(isOwn).map(write)),
    sharedNames: [...exported].filter(([, each]) => !isOwn(each)).map(([name]) => name),
    shared: all.filter((each) => !isOwn(each)).map(({ text }) => text),
  };
}

/** Sorts declarations by their text without the keywords, and removes repetitions. */
function sorted(texts: readonly string[]): string[] {
  const key = (text: string) =>
    text.replace(/^(?:export |abstract |class |interface |type |function |const |enum )+/, "");
  return [...new Set(texts)].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function reportPath(name: string): string {
  return `api/${name.replaceAll("/", "-") || "index"}.md`;
}

function reportOf({ name, own, sharedNames }: Entry): string {
  const others =
    sharedNames.length > 0 ? ["Exports of [shared declarations](shared.md):", code(list(sharedNames))] : [];
  const title = `# @billing-service/sdk${name && `/${name}`}`;
  return sections([title, GENERATED, ...(own.length > 0 ? [code(own.join("\n\n"))] : []), ...others]);
}

function sharedReport(declarations: readonly string[]): string {
  return sections(["# Declarations that several entry points share", GENERATED, code(declarations.join("\n\n"))]);
}

const GENERATED = 'Written by `npm run generate`. CONTRIBUTING.md describes it under "API reports".';

function list(names: readonly string[]): string {
  return [...names].sort().join("\n");
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

function sections(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

function ownByVersion(entries: readonly Entry[]): Map<string, string> {
  const versions = new Map<string, string>();
  for (const { name, version, own } of entries) {
    if (version === undefined) continue;
    versions.set(version, `${versions.get(version) ?? ""}${name}\n${own.join("\n")}\n`);
  }
  return versions;
}
