import {
  Application,
  type Context,
  Converter,
  type DeclarationReflection,
  type DocumentationEntryPoint,
  type DocumentReflection,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type TranslatedString,
  type TypeScript,
} from "typedoc";
import { documentOf } from "../../scripts/generate/version-source.ts";
import type { SiteModel } from "../model.ts";
import { modulesOf } from "../modules.ts";
import { operationDocs } from "../operations/operation-docs.ts";
import { PLAYGROUND, ROOT } from "../paths.ts";
import { typedocOptions } from "../typedoc-options.ts";
import type { SiteVersion } from "../versions.ts";
import { arrange } from "./arrange.ts";
import { boostSearch } from "./boost-search.ts";
import { guideFinder, requireExplained } from "./find-guides.ts";
import { findOperations } from "./find-operations.ts";
import { findSymbols } from "./find-symbols.ts";
import { fileOf, introOf, readGuides, slugOfDocument, textOf } from "./read-guides.ts";
import { siteRouter } from "./site-router.ts";

/** A version whose sources and guides are read, and whose pages can be written. */
export interface ConvertedVersion {
  readonly app: Application;
  readonly model: SiteModel;
  /** The URLs of its pages, from its start page. */
  readonly pages: ReadonlySet<string>;
}

/**
 * Reads the sources and the guides of a version.
 *
 * @throws Error if TypeDoc reports an error or a warning, for example a broken link or an undocumented export.
 */
export async function convertVersion(version: SiteVersion, program: TypeScript.Program): Promise<ConvertedVersion> {
  const app = await Application.bootstrap(typedocOptions(), []);
  const docs = await operationDocs(version.name, await documentOf(version.name));
  const files = sourceFiles(app);
  const slugs = new Map<Reflection, string>();
  const router = siteRouter(slugs);
  app.renderer.defineRouter("site", router);
  const made: { model?: SiteModel } = {};
  // After TypeDoc has grouped and categorized everything.
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }: Context) => {
      made.model = completeProject({ version, project, files, slugs, docs });
    },
    -300,
  );
  const project = app.converter.convert(entryPointsOf(version, program));
  app.validate(project);
  warnOfUndocumentedFunctions(app, project);
  requireNoWarnings(app);
  const pages = new Set(new router(app).buildPages(project).map(({ url }) => url));
  return { app, model: made.model as SiteModel, pages };
}

function warnOfUndocumentedFunctions({ logger }: Application, project: ProjectReflection): void {
  for (const each of project.getReflectionsByKind(ReflectionKind.Function)) {
    const signatures = each.isDeclaration() ? (each.signatures ?? []) : [];
    if (!signatures.some((signature) => signature.hasComment())) {
      logger.warn(`${each.getFullName()} does not have any documentation` as TranslatedString);
    }
  }
}

/** Throws if TypeDoc has reported a warning or an error; it has printed them. */
export function requireNoWarnings({ logger }: Application): void {
  if (logger.hasErrors() || logger.hasWarnings()) throw new Error("TypeDoc reported the problems above.");
}

/** Collects the source file of each export. */
function sourceFiles(app: Application): ReadonlyMap<Reflection, string> {
  const files = new Map<Reflection, string>();
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context: Context, reflection: DeclarationReflection) => {
    const [declaration] = context.getSymbolFromReflection(reflection)?.declarations ?? [];
    files.set(reflection, declaration?.getSourceFile().fileName.slice(ROOT.length) ?? "");
  });
  return files;
}

function entryPointsOf({ name }: SiteVersion, program: TypeScript.Program): DocumentationEntryPoint[] {
  return modulesOf(name).map(({ slug, source }) => {
    const sourceFile = program.getSourceFile(ROOT + source);
    if (!sourceFile) throw new Error(`The compiler does not know ${source}.`);
    return { displayName: slug, program, sourceFile };
  });
}

interface Parts {
  readonly version: SiteVersion;
  readonly project: ProjectReflection;
  readonly files: ReadonlyMap<Reflection, string>;
  readonly slugs: Map<Reflection, string>;
  readonly docs: Awaited<ReturnType<typeof operationDocs>>;
}

/** Names and arranges the pages, and returns what they show in addition to TypeDoc's content. */
function completeProject({ version, project, files, slugs, docs }: Parts): SiteModel {
  const modules = modulesOf(version.name);
  const importPaths = new Map<Reflection, string>();
  for (const module of project.children ?? []) {
    const entry = modules.find(({ source }) => source === files.get(module));
    if (!entry) throw new Error(`No entry point of the package has the source ${files.get(module)} of ${module.name}.`);
    slugs.set(module, entry.slug);
    importPaths.set(module, entry.path);
  }
  const guides = readGuides(project, version.name);
  const intro = takeIntro(project);
  for (const page of project.documents ?? []) slugs.set(page, slugOfDocument(page));
  const operations = findOperations(project, docs);
  const resources = new Set(operations.map(({ member }) => member.parent?.name ?? ""));
  const playground = documentIn(project, PLAYGROUND);
  arrange({ project, guides, playground, resources, fileOf: (child) => files.get(targetOf(child)) ?? "" });
  boostSearch({ project, guides, operations });
  const rules = documentIn(project, "docs/rules.md");
  const ruleIds = new Set(
    [...textOf(rules.content).matchAll(/^\| ([A-Z]+-[A-Z0-9-]+) \|/gm)].map(([, id]) => id ?? ""),
  );
  const symbols = findSymbols(project, operations);
  requireExplained(guides, new Set([...slugs.values(), ...symbols.keys()]));
  const guidesFor = guideFinder(guides, slugs);
  return { version, project, intro, guides, operations, playground, rules, ruleIds, symbols, guidesFor, importPaths };
}

function documentIn(project: ProjectReflection, file: string): DocumentReflection {
  const page = project.documents?.find((each) => fileOf(each) === file);
  if (!page) throw new Error(`${file} is missing.`);
  return page;
}

/** Returns the beginning of the README, which the start page shows, and removes the rest: the guides say more. */
function takeIntro(project: ProjectReflection): SiteModel["intro"] {
  const readme = documentIn(project, "README.md");
  const intro = introOf(readme);
  project.removeReflection(readme);
  return intro;
}

function targetOf(child: DeclarationReflection): Reflection {
  return child.isReference() ? child.getTargetReflectionDeep() : child;
}
