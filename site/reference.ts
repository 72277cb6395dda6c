import { posix } from "node:path";
import {
  Application,
  type DeclarationReflection,
  type DocumentationEntryPoint,
  PageEvent,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  StructureRouter,
  type TranslatedString,
  type TypeDocOptions,
  TypeScript as ts,
} from "typedoc";
import { guidesFor } from "./guides.ts";
import { modulesOf, PACKAGE, type SiteModule } from "./modules.ts";
import type { SidebarItem } from "./operations/index.ts";
import { withFrontMatter } from "./operations/markdown.ts";
import { PAGES, ROOT } from "./paths.ts";
import type { SiteVersion } from "./versions.ts";
import { writePage } from "./write-guides.ts";

/** An entry point in the navigation, with its exports. */
export interface ModuleItem extends SidebarItem {
  readonly items: readonly SidebarItem[];
  /** The import path. */
  readonly path: string;
  readonly summary: string;
}

/** A version's reference. */
export interface Reference {
  readonly modules: readonly ModuleItem[];
  /** URLs by name: exports, and the mock's members as `mock.name`. */
  readonly symbols: Readonly<Record<string, string>>;
}

/** Types that only the package itself uses, and other versions' types that the mock accepts. */
const intentionallyNotExported = [
  "BillingErrorOptions",
  "ApiErrorOptions",
  "InvalidInputErrorOptions",
  "NotAKnownType",
  "NotAKnownType.Value",
  "NotAUser",
  "NotAUser.Value",
  "Scope",
  "WebhookEventType",
];

const typedocOptions: TypeDocOptions = {
  name: "Billing Service SDK",
  router: "site",
  readme: "none",
  excludeInternal: true,
  excludePrivate: true,
  // Omits the members that errors inherit from Node.js.
  excludeExternals: true,
  disableSources: true,
  disableGit: true,
  includeHierarchySummary: false,
  sort: ["source-order"],
  sortEntryPoints: false,
  groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables"],
  // Functions are checked separately: here, the kind would include every method of every structural type.
  requiredToBeDocumented: ["Class", "Interface", "Variable", "TypeAlias", "Enum"],
  validation: { notExported: true, invalidLink: true, invalidPath: true, notDocumented: true },
  treatWarningsAsErrors: true,
  intentionallyNotExported,
  logLevel: "Warn",
};

/** The options of typedoc-plugin-markdown. */
const markdownOptions = {
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  useCustomAnchors: true,
  expandObjects: true,
  parametersFormat: "table",
  typeDeclarationFormat: "table",
  entryFileName: "index",
  pageTitleTemplates: { index: "Reference", module: "{name}", member: "{name}" },
  tableColumnSettings: { hideSources: true, hideModifiers: true, hideInherited: true, hideOverrides: true },
} as TypeDocOptions;

/** The names of entry points in URLs, by their modules. */
const slugs = new WeakMap<Reflection, SiteModule>();

/** URLs that are the same in every version: `client/createClient.md`, and `mock/node/index.md` for an entry point. */
class SiteRouter extends StructureRouter {
  override extension = ".md";

  protected override getIdealBaseName(reflection: Reflection): string {
    if (reflection.isProject()) return "index";
    if (reflection.kindOf(ReflectionKind.Module)) return `${(slugs.get(reflection) as SiteModule).slug}/index`;
    return `${posix.dirname(this.getIdealBaseName(reflection.parent as Reflection))}/${reflection.name}`;
  }
}

/** Loads the sources of all versions once. Type errors are not reported: `npm run types` does that. */
export function createProgram(versions: readonly SiteVersion[]): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const sources = new Set(versions.flatMap(({ name }) => modulesOf(name).map(({ source }) => ROOT + source)));
  return ts.createProgram([...sources], options);
}

/**
 * Writes a version's reference as Markdown, from the doc comments.
 *
 * @throws Error if TypeDoc reports an error or a warning, for example a broken link or an undocumented export.
 */
export async function writeReference(version: string, program: ts.Program): Promise<Reference> {
  const app = await Application.bootstrapWithPlugins({
    ...typedocOptions,
    ...markdownOptions,
    plugin: [`${ROOT}site/.vitepress/node_modules/typedoc-plugin-markdown/dist/index.js`],
  });
  app.renderer.defineRouter("site", SiteRouter);
  const project = app.converter.convert(entryPoints(version, program));
  nameModules(project, version);
  app.validate(project);
  requireDocumentedFunctions(app, project);
  const router = new SiteRouter(app);
  router.buildPages(project);
  const urlOf = (target: Reflection) =>
    `/reference/${version}/${router.getFullUrl(target).replace(/(?:index)?\.md(?=#|$)/, "")}`;
  const symbols = symbolsOf(project, urlOf);
  app.renderer.on(PageEvent.END, (page: PageEvent) => {
    page.contents = completed(page.model as Reflection, withTypes(page.contents ?? "", symbols));
  });
  await app.outputs.writeOutput({ name: "markdown", path: `${PAGES}/reference/${version}` }, project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("TypeDoc reported the problems above.");
  const modules = (project.children ?? []).map((module) => navigationOf(module, urlOf));
  return { modules, symbols };
}

function entryPoints(version: string, program: ts.Program): DocumentationEntryPoint[] {
  return modulesOf(version).map(({ slug, source }) => {
    const sourceFile = program.getSourceFile(ROOT + source);
    if (!sourceFile) throw new Error(`The compiler does not know ${source}.`);
    return { displayName: slug, program, sourceFile };
  });
}

/** Names each module after its import path, and sorts its exports. */
function nameModules({ children = [] }: ProjectReflection, version: string): void {
  const modules = modulesOf(version);
  for (const module of children) {
    const entry = modules.find(({ slug, path }) => [slug, path, path.replace(`${PACKAGE}/`, "")].includes(module.name));
    if (!entry) throw new Error(`No entry point of ${version} has the name of the module ${module.name}.`);
    slugs.set(module, entry);
    module.name = entry.path;
    for (const { children: exported } of module.groups ?? []) {
      exported.sort((one, other) => one.name.localeCompare(other.name, "en"));
    }
  }
}

function requireDocumentedFunctions({ logger }: Application, project: ProjectReflection): void {
  for (const each of project.getReflectionsByKind(ReflectionKind.Function)) {
    const signatures = each.isDeclaration() ? (each.signatures ?? []) : [];
    if (!signatures.some((signature) => signature.hasComment())) {
      logger.warn(`${each.getFullName()} does not have any documentation` as TranslatedString);
    }
  }
}

/** Puts each item of a long list on its own line, and links the types of each declaration below it: code has no links. */
function withTypes(contents: string, symbols: Reference["symbols"]): string {
  return contents.replace(
    /^(#+ (?!Example)(\S+).*\n\n```ts\n)([\s\S]*?)\n```$/gm,
    (_, start: string, heading: string, code: string) => {
      const names = new Set(code.match(/\b[A-Z]\w+/g));
      // Markdown escapes underscores.
      const own = heading.replaceAll("\\", "");
      const links = [...names].filter((name) => Object.hasOwn(symbols, name) && !own.startsWith(name));
      const block = `${start}${code.replace(LONG_LIST, onePerLine)}\n\`\`\``;
      return links.length === 0
        ? block
        : `${block}\n\nSee ${links.map((name) => `[${name}](${symbols[name]})`).join(", ")}.`;
    },
  );
}

/** Matches the items of a constant that is a long list. */
const LONG_LIST = /(?<=readonly \[)[^[\]]{80,}(?=\];$)/;

function onePerLine(items: string): string {
  return `\n  ${items.replaceAll(", ", ",\n  ")},\n`;
}

/** Adds a page's title and description, the export's import path, and the guides that explain it. */
function completed(model: Reflection, contents: string): string {
  if (model.isProject()) return contents;
  const isModule = model.kindOf(ReflectionKind.Module);
  const { slug, path } = slugs.get(isModule ? model : (model.parent as Reflection)) as SiteModule;
  const description = summaryOf(model) || `${model.name} in the reference of ${path}.`;
  const links = guidesFor(model.name, slug, isModule).map(({ title, url }) => `[${title}](${url})`);
  const facts = [
    ...(isModule ? [] : [`Import from \`${path}\``]),
    ...(links.length === 0 ? [] : [`${links.length === 1 ? "Guide" : "Guides"}: ${links.join(", ")}`]),
  ].join(" · ");
  const body = contents.replace(/^# .*$/m, (heading) =>
    facts === "" ? heading : `${heading}\n\n<div class="facts">\n\n${facts}\n\n</div>`,
  );
  return withFrontMatter({ title: model.name, description }, body);
}

/** Returns the first sentence of a doc comment, without Markdown. */
function summaryOf(model: Reflection): string {
  const signature = model.isDeclaration() ? model.signatures?.[0] : undefined;
  const parts = (model.comment ?? signature?.comment)?.getShortSummary(true) ?? [];
  return (
    parts
      .map(({ text }) => text.replaceAll("`", ""))
      .join("")
      .replace(/\s+/g, " ")
      // VitePress does not escape the attribute.
      .replaceAll('"', "'")
      .trim()
  );
}

function navigationOf(module: DeclarationReflection, urlOf: (target: Reflection) => string): ModuleItem {
  const { slug, path } = slugs.get(module) as SiteModule;
  const groups = (module.groups ?? []).map(({ title, children }) => ({
    text: title,
    // Without a link, VitePress makes the row a button that contains a button.
    link: `${urlOf(module)}#${title.toLowerCase().replaceAll(" ", "-")}`,
    collapsed: title !== "Functions",
    // Long names break between their words.
    items: children.map((child) => ({
      text: child.name.replace(/(?<=[a-z])(?=[A-Z])|(?<=_)/g, "<wbr>"),
      link: urlOf(targetOf(child)),
    })),
  }));
  return { text: slug, path, summary: summaryOf(module), link: urlOf(module), items: groups };
}

function symbolsOf({ children = [] }: ProjectReflection, urlOf: (target: Reflection) => string): Reference["symbols"] {
  const exported = children.flatMap((module) => module.children ?? []).reverse();
  const mock = exported.find(({ name }) => name === "Mock");
  return Object.fromEntries([
    ...exported.map((child) => [child.name, urlOf(targetOf(child))]),
    ...(mock?.children ?? []).map((member) => [`mock.${member.name}`, urlOf(member)]),
  ]);
}

function targetOf(child: Reflection): Reflection {
  return child.isReference() ? child.getTargetReflectionDeep() : child;
}

/** Writes the start page of a version's reference. */
export function writeReferenceIndex({ name, state }: SiteVersion, modules: readonly ModuleItem[]): void {
  const rows = modules.map(({ path, link, summary }) => `| [\`${path}\`](${link}) | ${summary} |`);
  const text = `# API reference ${name}

The [operations](/reference/${name}/operations/) of the API, the [options](/reference/${name}/options) of the main functions,
all [error classes](/reference/${name}/errors), and the exports of each entry point:

| Entry point | Contents |
| --- | --- |
${rows.join("\n")}

The OpenAPI document of this version is <a href="./openapi.json" target="_self">openapi.json</a>, in the package \`@billing-service/sdk/${name}/openapi.json\`.
`;
  const description = `The exports of every entry point for API version ${name} (${state}).`;
  writePage(
    `/reference/${name}/`,
    { title: `API reference ${name}`, description, pageClass: "reference-overview" },
    text,
  );
}
