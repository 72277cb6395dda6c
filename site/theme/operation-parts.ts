import type { DefaultThemeRenderContext, JSX } from "typedoc";
import type { OperationPage, SiteModel } from "../model.ts";
import { formatLink } from "../playground/link.ts";
import { h, raw } from "./h.ts";

/** Renders the request of an operation, and who may send it. */
export function operationSummary(
  context: DefaultThemeRenderContext,
  model: SiteModel,
  operation: OperationPage,
): JSX.Element {
  const { httpMethod, path, scopes, credentials, gap } = operation;
  const scopeText =
    scopes.length === 0
      ? "No scope is required"
      : h("span", null, joinOr(scopes.map((scope) => h("code", null, scope))));
  return h(
    "div",
    { class: "operation" },
    h(
      "p",
      { class: "operation-request" },
      methodBadge(httpMethod),
      " ",
      h("code", null, path),
      playgroundLink(context, model, operation),
    ),
    h(
      "dl",
      null,
      h("dt", null, scopes.length > 1 ? "One of the scopes" : "Scope"),
      h("dd", null, scopeText),
      h("dt", null, "Credentials"),
      h(
        "dd",
        null,
        h(
          "ul",
          null,
          credentials.map(({ name, description }) => h("li", null, h("code", null, name), ` ${description}`)),
        ),
      ),
      gap === undefined
        ? null
        : [h("dt", null, "Beta"), h("dd", { class: "assumption" }, raw(context.markdown(assumption(gap))))],
    ),
  );
}

function playgroundLink(
  context: DefaultThemeRenderContext,
  { playground }: SiteModel,
  { resource, method }: OperationPage,
): JSX.Element {
  const fragment = formatLink({ panel: "request", operation: `${resource}.${method}` });
  return h(
    "a",
    { class: "try-operation", href: `${context.urlTo(playground)}#${fragment}` },
    "Try it in the playground",
  );
}

function assumption(gap: string): string {
  return `The specification does not describe this operation in full, so the service may differ. ${gap} lists what is assumed.`;
}

/** Renders an HTTP method. */
export function methodBadge(method: string): JSX.Element {
  return h("span", { class: `http-method http-${method.toLowerCase()}` }, method);
}

function joinOr(parts: readonly JSX.Element[]): JSX.Children {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [" or ", part]));
}

/** Renders the responses, the errors and the examples of an operation. */
export function operationDetails(
  context: DefaultThemeRenderContext,
  model: SiteModel,
  operation: OperationPage,
): JSX.Element {
  return h(
    "div",
    { class: "operation-details", "data-operation": operation.id },
    responses(context, model, operation),
    errors(context, model),
    examples(context, model, operation),
  );
}

function responses(
  context: DefaultThemeRenderContext,
  model: SiteModel,
  { responses: list }: OperationPage,
): JSX.Children {
  const rows = list.map(({ status, description, models }) =>
    h(
      "tr",
      null,
      h("td", null, h("span", { class: `http-status http-${String(status).charAt(0)}xx` }, String(status))),
      h("td", null, description),
      h("td", null, joinOr(models.map((name) => symbolLink(context, model, name)))),
    ),
  );
  const head = h(
    "thead",
    null,
    h(
      "tr",
      null,
      ["Status", "When", "Body"].map((name) => h("th", { scope: "col" }, name)),
    ),
  );
  return [heading(context, "Responses"), table(head, rows)];
}

/** The errors of every call, in the order of the union `OperationError`. */
function errors(context: DefaultThemeRenderContext, model: SiteModel): JSX.Children {
  const rows = errorNames(model).map((name) => {
    const target = model.symbols.get(name);
    const summary = target?.comment?.getShortSummary(true) ?? [];
    return h(
      "tr",
      null,
      h("td", null, symbolLink(context, model, name)),
      h("td", null, raw(context.markdown(summary))),
    );
  });
  const head = h(
    "thead",
    null,
    h(
      "tr",
      null,
      ["Error", "Meaning"].map((name) => h("th", { scope: "col" }, name)),
    ),
  );
  return [heading(context, "Errors"), table(head, rows)];
}

function errorNames({ symbols }: SiteModel): readonly string[] {
  const union = symbols.get("OperationError");
  const type = union?.isDeclaration() ? union.type : undefined;
  const names =
    type?.type === "union" ? type.types.flatMap((each) => (each.type === "reference" ? [each.name] : [])) : [];
  return ["ApiError", ...names.filter((name) => name !== "UndeclaredApiError")];
}

function symbolLink(context: DefaultThemeRenderContext, { symbols }: SiteModel, name: string): JSX.Element {
  const target = symbols.get(name);
  if (!target) throw new Error(`The reference has no page for ${name}.`);
  return h("a", { href: context.urlTo(target) }, h("code", null, name));
}

/** Renders a link to the guide that explains the client. */
export function callingGuide(context: DefaultThemeRenderContext, { guides }: SiteModel): JSX.Element {
  const guide = guides.flatMap((group) => group.guides).find(({ file }) => file === "docs/client.md");
  if (!guide) throw new Error("site/guides.ts does not list docs/client.md.");
  return h("a", { href: context.urlTo(guide.page) }, guide.title);
}

function table(head: JSX.Element, rows: readonly JSX.Element[]): JSX.Element {
  return h("div", { class: "tsd-typography table-box" }, h("table", null, head, h("tbody", null, [...rows])));
}

function heading(context: DefaultThemeRenderContext, text: string): JSX.Element {
  const anchor = context.slugger.slug(text);
  return h("h4", { class: "tsd-anchor-link", id: anchor }, text);
}

/** Renders the examples below each other; the script of the site makes them tabs. */
function examples(
  context: DefaultThemeRenderContext,
  model: SiteModel,
  { examples: list }: OperationPage,
): JSX.Children {
  const panels = list.map(({ title, language, code }) =>
    h(
      "section",
      { class: "example tsd-typography", "data-title": title },
      h("h5", null, title),
      raw(context.markdown([{ kind: "code", text: `\`\`\`${language}\n${code}\`\`\`` }])),
    ),
  );
  const settings = h(
    "p",
    { class: "tsd-typography" },
    h("code", null, "BILLING_URL"),
    " is the base URL of the service, and ",
    h("code", null, "BILLING_TOKEN"),
    " an access token: see ",
    callingGuide(context, model),
    ".",
  );
  return [heading(context, "Examples"), settings, h("div", { class: "examples" }, panels)];
}
