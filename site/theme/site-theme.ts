import {
  DefaultTheme,
  DefaultThemeRenderContext,
  type JSX,
  type NavigationElement,
  type PageEvent,
  type ProjectReflection,
  type Reflection,
  type Renderer,
  type SignatureReflection,
} from "typedoc";
import type { OperationPage, PagesByVersion, SiteModel } from "../model.ts";
import { h } from "./h.ts";
import { withLandmarks } from "./landmarks.ts";
import type { LinkMarkdown } from "./link-markdown.ts";
import { operationDetails, operationSummary } from "./operation-parts.ts";
import { startPage } from "./start-page.ts";
import { type VersionedPage, versionBanner, versionSelector } from "./version-parts.ts";

/** What the theme depends on. */
export interface ThemeOptions {
  readonly model: SiteModel;
  readonly pages: PagesByVersion;
  /** Adds links to the Markdown of a page. */
  readonly links: LinkMarkdown;
}

/** Returns TypeDoc's default theme with the selector of versions, the start page, operations, and links to guides. */
export function siteTheme(options: ThemeOptions): new (renderer: Renderer) => DefaultTheme {
  return class extends DefaultTheme {
    override ContextClass = siteContext(options);

    override buildNavigation(project: ProjectReflection): NavigationElement[] {
      return super.buildNavigation(project).map(withOverview);
    }
  };
}

function siteContext({ model, pages, links }: ThemeOptions): typeof DefaultThemeRenderContext {
  const operations = new Map<Reflection, OperationPage>(model.operations.map((each) => [each.member, each]));
  return class SiteContext extends DefaultThemeRenderContext {
    constructor(...args: ConstructorParameters<typeof DefaultThemeRenderContext>) {
      super(...args);
      const { toolbar, header, defaultLayout, breadcrumbs, memberSignatureBody, markdown, reflectionTemplate } = this;
      this.markdown = (text) => links.during(this, () => markdown(text));
      this.toolbar = (page) => withParts(toolbar(page), versionSelector(this.versioned(page)), this.playgroundLink());
      this.defaultLayout = (template, page) => withLandmarks(defaultLayout(template, page));
      this.header = (page) => h("div", null, versionBanner(this.versioned(page)), header(page), this.below(page.model));
      this.breadcrumbs = (reflection) => (reflection.parent?.isProject() ? h("span", null) : breadcrumbs(reflection));
      this.reflectionTemplate = (page) => (page.model.isProject() ? startPage(this, model) : reflectionTemplate(page));
      this.memberSignatureBody = (signature, more) =>
        this.operationBody(signature, operations, memberSignatureBody(signature, more));
    }

    versioned({ url }: PageEvent<Reflection>): VersionedPage {
      return { version: model.version, url, pages, fromRoot: (path) => this.relativeURL(path) };
    }

    playgroundLink(): JSX.Element {
      return h("a", { class: "playground-link", href: this.urlTo(model.playground) }, "Playground");
    }

    /** Renders the import path of a module, and the guides for a reference page. */
    below(reflection: Reflection): JSX.Children {
      if (reflection.isProject() || reflection.isDocument()) return null;
      const path = model.importPaths.get(reflection) ?? model.importPaths.get(reflection.parent as Reflection);
      const guides = model.guidesFor(reflection).map(({ title, page }) => h("a", { href: this.urlTo(page) }, title));
      return h(
        "p",
        { class: "page-facts" },
        path === undefined ? null : h("span", null, "Import from ", h("code", null, path)),
        guides.length === 0 ? null : h("span", null, guides.length === 1 ? "Guide: " : "Guides: ", separated(guides)),
      );
    }

    operationBody(
      signature: SignatureReflection,
      known: ReadonlyMap<Reflection, OperationPage>,
      body: JSX.Element,
    ): JSX.Element {
      const operation = known.get(signature.parent);
      if (!operation) return body;
      return h("div", null, operationSummary(this, model, operation), body, operationDetails(this, model, operation));
    }
  };
}

function separated(parts: readonly JSX.Element[]): JSX.Children {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [", ", part]));
}

/** Moves the link of a module below its heading: a heading that opens and closes must not be a link as well. */
function withOverview({ path, children, ...element }: NavigationElement): NavigationElement {
  if (!children) return { ...element, ...(path === undefined ? {} : { path }) };
  const overview = path === undefined ? [] : [{ text: "Overview", path, kind: element.kind }];
  return { ...element, children: [...overview, ...children.map(withOverview)] } as NavigationElement;
}

/** Adds elements to the toolbar, after the title. */
function withParts(toolbar: JSX.Element, ...parts: readonly JSX.Element[]): JSX.Element {
  const [contents] = toolbar.children as [JSX.Element];
  contents.children.splice(1, 0, ...parts);
  return toolbar;
}
