import { posix } from "node:path";
import {
  type Application,
  DeclarationReflection,
  type PageDefinition,
  PageEvent,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type RouterTarget,
  StructureRouter,
  type TypeDocOptions,
} from "typedoc";
import type { Symbols } from "../../markdown.ts";
import { PAGES, ROOT } from "../../paths.ts";
import { currentVersion, type SiteVersion } from "../../versions.ts";
import type { SidebarItem } from "../sidebar.ts";
import { completedPage } from "./export-page.ts";
import { folderOf, slugOf } from "./modules.ts";
import { readExports } from "./read-exports.ts";
import options from "./typedoc.json" with { type: "json" };

/** A version's exports, whose pages are written. The name of each module is its import path. */
export interface WrittenExports {
  readonly project: ProjectReflection;
  /** The navigation of each entry point. */
  readonly modules: readonly SidebarItem[];
  readonly symbols: Symbols;
}

/** The Markdown plugin and its options. */
const markdownOptions = {
  ...options.writing,
  plugin: [`${ROOT}site/.vitepress/node_modules/typedoc-plugin-markdown/dist/index.js`],
  // Without constraints, which the declaration shows.
  pageTitleTemplates: { module: "{name}", member: ({ name }: DeclarationReflection) => name.replace(/\\<.*/, "") },
} as TypeDocOptions;

/** Whether a page, or the part of one, belongs to an entry point that is the same for every version, such as `/mock`. */
function isShared(model: RouterTarget): boolean {
  if (!(model instanceof DeclarationReflection)) return false;
  return model.kindOf(ReflectionKind.Module)
    ? folderOf(model.name) === slugOf(model.name)
    : isShared(model.parent as Reflection);
}

/** Returns a router with a page per export: `2025-01/client/createClient.md`, and `mock/node/index.md` for an entry point. */
function routerOf(version: string): new (app: Application) => StructureRouter {
  return class extends StructureRouter {
    override extension = ".md";

    protected override getIdealBaseName(reflection: Reflection): string {
      if (reflection.isProject()) return `${version}/index`;
      if (reflection.kindOf(ReflectionKind.Module)) return `${folderOf(reflection.name)}/index`;
      return `${posix.dirname(this.getIdealBaseName(reflection.parent as Reflection))}/${reflection.name}`;
    }

    // Pages that all versions share are Current's.
    override buildPages(project: ProjectReflection): PageDefinition[] {
      const isCurrent = version === currentVersion().name;
      return super.buildPages(project).filter(({ model }) => model !== project && (isCurrent || !isShared(model)));
    }
  };
}

/**
 * Writes the pages of a version's exports as Markdown, from the doc comments.
 *
 * @throws Error if TypeDoc reports an error or a warning, for example a broken link or an undocumented export.
 */
export async function writeExports(version: SiteVersion): Promise<WrittenExports> {
  const [app, project] = await readExports(version.name, markdownOptions);
  const Router = routerOf(version.name);
  app.renderer.defineRouter("site", Router);
  app.validate(project);
  const router = new Router(app);
  router.buildPages(project);
  const urlOf = (target: Reflection) => addressOf(router.getFullUrl(target)).replace(/(?:index)?\.md(?=#|$)/, "");
  const symbols = symbolsOf(project, urlOf);
  app.renderer.on(PageEvent.END, (written: PageEvent) => {
    const model = written.model as Reflection;
    // The Markdown of an entry point, whose page is in a folder, is beside the folder: its links must not be relative.
    const text = written.contents?.replaceAll(/(?<=\]\()[\w.][\w./-]*\.md/g, (to) =>
      addressOf(posix.join(posix.dirname(written.url), to)),
    );
    written.contents = completedPage(model, text ?? "", symbols, isShared(model as DeclarationReflection));
  });
  await app.outputs.writeOutput({ name: "markdown", path: `${PAGES}/reference` }, project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("TypeDoc reported the problems above.");
  return { project, symbols, modules: (project.children ?? []).map((module) => navigationOf(module, urlOf)) };
}

const addressOf = (url: string) => `/reference/${url}`;

function navigationOf(module: DeclarationReflection, urlOf: (target: Reflection) => string): SidebarItem {
  const groups = (module.groups ?? []).map(({ title, children }) => ({
    text: title,
    // Without a link, VitePress makes the row a button that contains a button.
    link: `${urlOf(module)}#${title.toLowerCase().replaceAll(" ", "-")}`,
    collapsed: title !== "Functions",
    items: children.map((child) => ({ text: navigationText(child as DeclarationReflection), link: urlOf(child) })),
  }));
  return { text: slugOf(module.name), link: urlOf(module), items: groups };
}

/** Returns a name that can break between its words, and is struck through if it is deprecated. */
function navigationText(child: DeclarationReflection): string {
  const name = child.name.replace(/(?<=[a-z])(?=[A-Z])|(?<=_)/g, "<wbr>");
  return child.isDeprecated() ? `<s>${name}</s>` : name;
}

function symbolsOf({ children = [] }: ProjectReflection, urlOf: (target: Reflection) => string): Symbols {
  const exported = children.flatMap((module) => module.children ?? []).filter((each) => !each.isReference());
  const mock = exported.find((each) => each.name === "Mock");
  return Object.fromEntries([
    ...exported.reverse().map((child) => [child.name, urlOf(child)]),
    ...(mock?.children ?? []).map((member) => [`mock.${member.name}`, urlOf(member)]),
  ]);
}
