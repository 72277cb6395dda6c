import type { DefaultThemeRenderContext, JSX } from "typedoc";
import type { SiteModel } from "../model.ts";
import { h, raw } from "./h.ts";
import { openApiPath } from "./link-markdown.ts";
import { callingGuide, methodBadge } from "./operation-parts.ts";

/** Renders the start page of a version: guides, operations and entry points. */
export function startPage(context: DefaultThemeRenderContext, model: SiteModel): JSX.Element {
  return h(
    "div",
    { class: "start-page tsd-typography" },
    raw(context.markdown(model.intro)),
    heading(context, "Guides"),
    guides(context, model),
    heading(context, "Operations"),
    operations(context, model),
    openApi(context, model),
    heading(context, "Entry points"),
    modules(context, model),
  );
}

function heading(context: DefaultThemeRenderContext, text: string): JSX.Element {
  const anchor = context.slugger.slug(text);
  context.page.pageHeadings.push({ link: `#${anchor}`, text, level: 2 });
  return h("h2", { id: anchor }, text);
}

function guides(context: DefaultThemeRenderContext, model: SiteModel): JSX.Children {
  return model.guides.map(({ title, guides: list }) =>
    h(
      "section",
      { class: "guide-group" },
      h("h3", null, title),
      h(
        "ul",
        null,
        list.map((guide) =>
          h("li", null, h("a", { href: context.urlTo(guide.page) }, guide.title), raw(context.markdown(guide.summary))),
        ),
      ),
    ),
  );
}

function operations(context: DefaultThemeRenderContext, model: SiteModel): JSX.Element {
  const rows = model.operations.map(({ resource, method, httpMethod, path, summary, member }) =>
    h(
      "tr",
      null,
      h("td", null, h("a", { href: context.urlTo(member) }, h("code", null, `billing.${resource}.${method}`))),
      h("td", { class: "operation-request" }, methodBadge(httpMethod), " ", h("code", null, path)),
      h("td", null, summary),
    ),
  );
  const head = h(
    "tr",
    null,
    ["Call", "Request", "Description"].map((name) => h("th", { scope: "col" }, name)),
  );
  return h("div", { class: "table-box" }, h("table", null, h("thead", null, head), h("tbody", null, rows)));
}

/** Says what a call of the service needs, and where the contract of the version is. */
function openApi(context: DefaultThemeRenderContext, model: SiteModel): JSX.Element {
  return h(
    "p",
    null,
    "To call the service, pass its ",
    h("code", null, "baseUrl"),
    " and an access token: ",
    callingGuide(context, model),
    ". The OpenAPI document is ",
    h("a", { href: context.relativeURL("openapi.json") }, "openapi.json"),
    ", in the package ",
    h("code", null, openApiPath(model)),
    ".",
  );
}

function modules(context: DefaultThemeRenderContext, model: SiteModel): JSX.Element {
  return h(
    "dl",
    { class: "entry-points" },
    (model.project.children ?? []).map((module) => [
      h("dt", null, h("a", { href: context.urlTo(module) }, h("code", null, model.importPaths.get(module)))),
      h("dd", null, raw(context.markdown(module.comment?.getShortSummary(true) ?? []))),
    ]),
  );
}
