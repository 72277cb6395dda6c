import { execFileSync } from "node:child_process";
import { posix } from "node:path";
import {
  Application,
  Comment,
  DeclarationReflection,
  OptionDefaults,
  type PageDefinition,
  PageEvent,
  type ProjectReflection,
  ReferenceType,
  type Reflection,
  ReflectionFlag,
  ReflectionKind,
  type ReflectionType,
  type RouterTarget,
  type SomeType,
  StructureRouter,
  Type,
  type TypeDocOptions,
} from "typedoc";
import { guidesFor } from "../../guides/guide-list.ts";
import { linksToTypes, linkTypes, page, type Symbols, table, withFrontMatter } from "../../markdown.ts";
import { PAGES, ROOT } from "../../paths.ts";
import { currentVersion, type SiteVersion } from "../../versions.ts";
import { textOf } from "../doc-comments.ts";
import type { SidebarItem } from "../write-pages.ts";
import { modulesOf, slugOf } from "./modules.ts";

/** A version's reference. The name of each module is its import path. */
export interface Reference {
  readonly project: ProjectReflection;
  /** The navigation of each entry point. */
  readonly modules: readonly SidebarItem[];
  readonly symbols: Symbols;
}

const typedocOptions: TypeDocOptions = {
  readme: "none",
  tsconfig: `${ROOT}tsconfig.json`,
  skipErrorChecking: true,
  excludeInternal: true,
  // Omits the members that errors inherit from Node.js.
  excludeExternals: true,
  disableSources: true,
  includeHierarchySummary: false,
  sort: ["required-first", "source-order"],
  sortEntryPoints: false,
  groupOrder: ["Functions", "Classes", "Interfaces", "Type aliases", "Variables"],
  // Headings in sentence case, as in the guides.
  locales: {
    en: {
      kind_type_alias: "Type alias",
      kind_plural_type_alias: "Type aliases",
      kind_plural_type_parameter: "Type parameters",
      kind_type_parameter: "Type parameter",
      kind_call_signature: "Call signature",
      theme_type_declaration: "Type declaration",
    },
  },
  // In TypeDoc, `@beta` has no text.
  blockTags: [...OptionDefaults.blockTags, "@beta"],
  modifierTags: OptionDefaults.modifierTags.filter((tag) => tag !== "@beta"),
  // A test checks functions: here, the kind would include every method of every structural type.
  requiredToBeDocumented: ["Class", "Interface", "Variable", "TypeAlias", "Enum"],
  validation: { notDocumented: true },
  // Types that only the package itself uses, and other versions' types that the mock accepts.
  intentionallyNotExported: ["Scope", "WebhookEventType"],
  logLevel: "Warn",
};

/** The Markdown plugin and its options. */
const markdownOptions = {
  plugin: [`${ROOT}site/.vitepress/node_modules/typedoc-plugin-markdown/dist/index.js`],
  router: "site",
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  useCustomAnchors: true,
  expandObjects: true,
  expandParameters: true,
  indexFormat: "table",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  // Without constraints, which the declaration shows.
  pageTitleTemplates: { module: "{name}", member: ({ name }: DeclarationReflection) => name.replace(/\\<.*/, "") },
  tableColumnSettings: {
    hideModifiers: true,
    hideInherited: true,
    hideOverrides: true,
    hideDefaults: true,
  },
} as TypeDocOptions;

/** URLs that are the same in every version: `client/createClient.md`, and `mock/node/index.md` for an entry point. */
class SiteRouter extends StructureRouter {
  override extension = ".md";

  protected override getIdealBaseName(reflection: Reflection): string {
    if (reflection.isProject()) return "index";
    if (reflection.kindOf(ReflectionKind.Module)) return `${slugOf(reflection.name)}/index`;
    return `${posix.dirname(this.getIdealBaseName(reflection.parent as Reflection))}/${reflection.name}`;
  }
}

/** Whether a page, or the part of one, belongs to an entry point that is the same for every version, such as `/mock`. */
function isShared(model: RouterTarget): boolean {
  if (!(model instanceof DeclarationReflection)) return false;
  return model.kindOf(ReflectionKind.Module)
    ? !/\/20\d\d-\d\d(?:\/|$)/.test(model.name)
    : isShared(model.parent as Reflection);
}

/** Writes only the pages that differ from Current's. */
class OwnRouter extends SiteRouter {
  override buildPages(project: ProjectReflection): PageDefinition[] {
    return super.buildPages(project).filter(({ model }) => !isShared(model));
  }
}

/** Reads a version's exports with their doc comments. Type errors are not reported: `npm run types` does that. */
export async function readReference(
  version: string,
  options: TypeDocOptions = {},
): Promise<[Application, ProjectReflection]> {
  const modules = modulesOf(version);
  const entryPoints = modules.map(({ source }) => ROOT + source);
  const app = await Application.bootstrapWithPlugins({ ...typedocOptions, ...options, entryPoints });
  const project = await app.convert();
  if (!project) throw new Error(`TypeDoc could not read the sources of ${version}.`);
  project.children?.forEach((module, index) => {
    module.name = modules[index]?.path ?? "";
    module.groups = (module.groups ?? []).filter(({ title }) => title !== "References");
    for (const { children } of module.groups) children.sort(byName);
  });
  // A constructor without a comment is not for users.
  for (const each of project.getReflectionsByKind(ReflectionKind.Constructor) as DeclarationReflection[]) {
    const owner = each.parent as DeclarationReflection;
    if (each.signatures?.[0]?.comment) continue;
    owner.groups = (owner.groups ?? []).filter(({ title }) => title !== "Constructors");
    project.removeReflection(each);
  }
  restoreTypes(project);
  return [app, project];
}

const byName = (one: Reflection, other: Reflection) => one.name.localeCompare(other.name, "en");

/** Restores rest parameters, and the name of a union such as `Scope`, which is `(typeof SCOPES)[number]`. */
function restoreTypes(project: ProjectReflection): void {
  const ofKind = (kind: ReflectionKind) => project.getReflectionsByKind(kind) as DeclarationReflection[];
  const names = new Map<string, ReferenceType>();
  for (const { name, type } of ofKind(ReflectionKind.Variable)) {
    const alias = ofKind(ReflectionKind.TypeAlias).find((each) => String(each.type) === `typeof ${name}[number]`);
    if (!alias) continue;
    const union = String(type).slice("readonly [".length, -1).replaceAll(", ", " | ");
    names.set(union, ReferenceType.createResolvedReference(alias.name, alias, project));
  }
  const generic = (name: string, ...typeArguments: unknown[]) =>
    Object.assign(ReferenceType.createBrokenReference(name, project, "typescript"), { typeArguments });
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (!(value instanceof Type)) return value;
    const { children = [] } = (value as Partial<ReflectionType>).declaration ?? {};
    const key = names.get(children.map(({ name }) => `"${name}"`).join(" | "));
    if (key) return generic("Partial", generic("Record", key, children[0]?.type));
    for (const [property, inner] of Object.entries(value)) Object.assign(value, { [property]: named(inner) });
    return names.get(String(value)) ?? value;
  };
  for (const each of ofKind(ReflectionKind.All)) {
    if (each.type) each.type = named(each.type) as SomeType;
    // A parameter or a property without a description has its type's.
    const { comment } = (each.type as Partial<ReferenceType> | undefined)?.reflection ?? {};
    if (each.kindOf([ReflectionKind.Parameter, ReflectionKind.Property]) && comment)
      each.comment ??= new Comment(comment.summary);
    // TypeDoc's text for a mapped type omits the dots.
    if (each.flags.isRest) each.name = `...${each.name}`;
    each.setFlag(ReflectionFlag.Rest, false);
  }
}

/**
 * Writes a version's reference as Markdown, from the doc comments.
 *
 * @throws Error if TypeDoc reports an error or a warning, for example a broken link or an undocumented export.
 */
export async function writeReference(version: SiteVersion): Promise<Reference> {
  const { name, state } = version;
  // The notice of a Deprecated version says it once.
  const excludeTags = [...OptionDefaults.excludeTags, ...(state === "Deprecated" ? (["@deprecated"] as const) : [])];
  const [app, project] = await readReference(name, { ...markdownOptions, excludeTags });
  const { name: current } = currentVersion();
  app.renderer.defineRouter("site", name === current ? SiteRouter : OwnRouter);
  app.validate(project);
  const router = new SiteRouter(app);
  const shared = router.buildPages(project).filter(({ model }) => isShared(model));
  const sharedFiles = new Set(shared.map(({ url }) => url));
  const addressOf = (url: string) => `/reference/${sharedFiles.has(url.replace(/#.*/, "")) ? current : name}/${url}`;
  const urlOf = (target: Reflection) => addressOf(router.getFullUrl(target)).replace(/(?:index)?\.md(?=#|$)/, "");
  const symbols = symbolsOf(project, urlOf);
  app.renderer.on(PageEvent.END, (written: PageEvent) => {
    const model = written.model as Reflection;
    // The Markdown of an entry point, whose page is in a folder, is beside the folder: its links must not be relative.
    const text = written.contents?.replaceAll(/(?<=\]\()[\w.][\w./-]*\.md/g, (to) =>
      addressOf(posix.join(posix.dirname(written.url), to)),
    );
    written.contents = model.isProject() ? indexPage(version, model, urlOf) : completed(model, text ?? "", symbols);
  });
  await app.outputs.writeOutput({ name: "markdown", path: `${PAGES}/reference/${name}` }, project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("TypeDoc reported the problems above.");
  return { project, symbols, modules: (project.children ?? []).map((module) => navigationOf(module, urlOf)) };
}

/** Adds a page's title and description, the export's import path, what it extends, and the guides that explain it. */
function completed(model: Reflection, contents: string, symbols: Symbols): string {
  const isModule = model.kindOf(ReflectionKind.Module);
  const { name: path } = isModule ? model : (model.parent as Reflection);
  const { name, typeParameters = [], children = [] } = model as DeclarationReflection;
  const description = summaryOf(model) || `${name} in the reference of ${path}.`;
  const facts = isModule ? [] : [`Import from \`${path}\``];
  if (isShared(model as DeclarationReflection)) facts.push("The same for every API version");
  const body = contents
    .replace(/^#+ Remarks\n\n/gm, "")
    .replace(/ \| - \|$/gm, " | |")
    .replace(/^#+ Returns\n\n`void`\n\n?/gm, "")
    .replace(/^### Constructor$/m, `### new ${name}()`)
    .replace(/^#+ (?:Inherited from|Overrides)\n\n.*\n\n?/gm, "")
    .replace(TYPE_PARAMETERS, (_, level: string, rows: string) => {
      const constrained = rows.match(/`\w+` \*extends\* .*(?= \|)/g) ?? [];
      // Those of a method are in its declaration.
      if (level === "##" && constrained.length > 0) facts.push(`Type parameters: ${constrained.join(", ")}`);
      return "";
    })
    .replace(INHERITANCE, (_, title: string, first: string, others: string) => {
      facts.push(`${title} ${first}${others.replaceAll("\n- ", ", ")}`);
      return "";
    })
    .replace(
      DECLARATION,
      (_, start: string, code: string) =>
        `${start}${wrapped(code)}\n\`\`\`${/^(?:type|const) /.test(code) ? linksToTypes(code, symbols, name) : ""}`,
    );
  const links = guidesFor(name, slugOf(path), isModule).map(({ title, url }) => `[${title}](${url})`);
  if (links.length > 0) facts.push(`${links.length === 1 ? "Guide" : "Guides"}: ${links.join(", ")}`);
  const parameters = typeParameters.length === 0 ? "" : `\\<${typeParameters.map((each) => each.name).join(", ")}\\>`;
  const start = `${parameters}\n\n<div class="facts">\n\n${facts.join(" · ")}\n\n</div>`;
  const others = children.filter((each) => each.isReference()).sort(byName);
  const also = others.map((each) => linkTypes(each.name, symbols)).join(", ");
  const end = also && `\nAlso exports ${also}.\n`;
  return withFrontMatter({ title: name, description }, body.replace(/^# .*$/m, (heading) => heading + start) + end);
}

/** Matches a table of type parameters without descriptions. */
const TYPE_PARAMETERS = /^(#+) Type parameters\n\n\| Type parameter \|\n((?:\|.*\n)+)\n?/gm;
const INHERITANCE = /^## (Extend(?:s|ed by))\n\n- (.*)((?:\n- .*)*)\n\n/gm;
const DECLARATION = /^(#+ (?!Examples?$).*\n\n```ts\n)([\s\S]*?)\n```$/gm;

/** Formats a declaration with several lines, or with one that is too long for a page; once, for all versions. */
function wrapped(code: string): string {
  if (!/.{89}|\n/.test(code) || code.startsWith("{")) return code;
  const known = formatted.get(code);
  if (known !== undefined) return known;
  const start = /^(?:type|const|function) /.test(code) ? "declare " : "declare function ";
  const options = ["format", "--stdin-file-path=declaration.ts", "--javascript-formatter-line-width=88"];
  // A function's name may not be optional.
  const input = start + code.replace(/^new /, "").replace(/^(\w+)\?/, "$1__optional");
  const output = execFileSync(`${ROOT}node_modules/.bin/biome`, options, { input, encoding: "utf8", cwd: ROOT });
  const result = output
    .trimEnd()
    .replace("__optional", "?")
    .replace(start, /^new /.test(code) ? "new " : "");
  formatted.set(code, result);
  return result;
}
const formatted = new Map<string, string>();

/** Returns the first sentence of a doc comment, without Markdown. */
function summaryOf(model: Reflection): string {
  const signature = model.isDeclaration() ? model.signatures?.[0] : undefined;
  const summary = (model.comment ?? signature?.comment)?.getShortSummary(true);
  // VitePress does not escape the attribute.
  return textOf(summary).replaceAll("`", "").replaceAll('"', "'");
}

function navigationOf(module: DeclarationReflection, urlOf: (target: Reflection) => string): SidebarItem {
  const groups = (module.groups ?? []).map(({ title, children }) => ({
    text: title,
    // Without a link, VitePress makes the row a button that contains a button.
    link: `${urlOf(module)}#${title.toLowerCase().replaceAll(" ", "-")}`,
    collapsed: title !== "Functions",
    // Long names break between their words.
    items: children.map((child) => ({
      text: child.name.replace(/(?<=[a-z])(?=[A-Z])|(?<=_)/g, "<wbr>"),
      link: urlOf(child),
    })),
  }));
  return { text: slugOf(module.name), link: urlOf(module), items: groups };
}

function symbolsOf({ children = [] }: ProjectReflection, urlOf: (target: Reflection) => string): Symbols {
  const exported = children.flatMap((module) => module.children ?? []).filter((each) => !each.isReference());
  const mock = exported.find((each) => each.name === "Mock");
  return Object.fromEntries([
    ...exported.reverse().map((child) => [child.name, urlOf(child)]),
    ...(mock?.children ?? []).map((member) => [`mock.${member.name}`, urlOf(member)]),
  ]);
}

/** Returns the start page of a version's reference. */
function indexPage(
  { name, state }: SiteVersion,
  { children = [] }: ProjectReflection,
  urlOf: (target: Reflection) => string,
): string {
  const rows = children.map((one) => [`[\`${one.name}\`](${urlOf(one)})`, summaryOf(one)]);
  const description = `The exports of every entry point for API version ${name} (${state}).`;
  return page(
    { title: `API reference ${name}`, description, pageClass: "reference-overview" },
    `The [operations](/reference/${name}/operations/) of the API, the [options](/reference/${name}/options) of the main functions, all [error classes](/reference/${name}/errors),
and the exports of each entry point:

${table(["Entry point", "Contents"], rows)}
The OpenAPI document of this version is [openapi.json](/reference/${name}/openapi.json), in the package \`@billing-service/sdk/${name}/openapi.json\`.
`,
  );
}
