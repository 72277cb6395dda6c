import { type DeclarationReflection, type Reflection, ReflectionKind } from "typedoc";
import { guidesFor } from "../../guides/guide-list.ts";
import { linksToTypes, linkTypes, orList, type Symbols, withFrontMatter } from "../../markdown.ts";
import { REPOSITORY } from "../../paths.ts";
import { sourceOf, textOf } from "../version-docs.ts";
import { folderOf, slugOf } from "./modules.ts";
import { byName } from "./read-exports.ts";

/** Matches a table of type parameters without descriptions. */
const TYPE_PARAMETERS = /^(#+) Type parameters\n\n\| Type parameter \|\n((?:\|.*\n)+)\n?/gm;
const INHERITANCE = /^## (Extend(?:s|ed by))\n\n- (.*)((?:\n- .*)*)\n\n/gm;
/** Matches the declaration of a type or a constant, whose types are not links. */
const DECLARATION = /^#+ (?!Examples?$).*\n\n```ts\n((?:type|const) [\s\S]*?)\n```$/gm;

/** Adds a page's title and description, the export's import path and source, what it extends, and the guides that explain it. */
export function completedPage(model: Reflection, contents: string, symbols: Symbols, isShared: boolean): string {
  const isModule = model.kindOf(ReflectionKind.Module);
  const { name: path } = isModule ? model : (model.parent as Reflection);
  const { name, typeParameters = [], children = [] } = model as DeclarationReflection;
  const description = summaryOf(model) || `${name} in the reference of ${path}.`;
  const facts = isModule ? [] : [importOf(model)];
  if (isShared) facts.push("The same for every API version");
  const body = contents
    .replace(/^Defined in: .*\n\n?/gm, "")
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
    .replace(DECLARATION, (block, code: string) => block + linksToTypes(code, symbols, name));
  const links = guidesFor(name, slugOf(path), isModule).map(({ title, url }) => `[${title}](${url})`);
  if (links.length > 0) facts.push(`${links.length === 1 ? "Guide" : "Guides"}: ${links.join(", ")}`);
  const source = sourceOf(model);
  if (source) facts.push(sourceLink(source.url ?? source.fileName));
  const parameters = typeParameters.length === 0 ? "" : `\\<${typeParameters.map((each) => each.name).join(", ")}\\>`;
  const start = `${parameters}\n\n<div class="facts">\n\n${facts.join(" · ")}\n\n</div>`;
  const others = children.filter((each) => each.isReference()).sort(byName);
  const also = others.map((each) => linkTypes(each.name, symbols)).join(", ");
  const end = also && `\nAlso exports ${also}.\n`;
  const text = body.replace(/^# .*$/m, (heading) => heading + start) + end;
  return withFrontMatter(
    {
      title: name,
      description,
      source: source?.fileName,
      shared: isShared || undefined,
      note: isModule ? undefined : slugOf(path),
      pageClass: "export",
    },
    text,
  );
}

/** Names the entry point that exports something; if all versions share it, also the entry point of a version. */
function importOf({ name, parent, project }: Reflection): string {
  const exports = (module: DeclarationReflection) =>
    module.children?.some((each) => each.name === name && each.isReference());
  const others = (project.children ?? []).filter(
    (module) => module !== parent && folderOf(module.name).startsWith("20") && exports(module),
  );
  return `Import from ${orList([parent, ...others].map((module) => `\`${module?.name}\``))}`;
}

/** Links to a place in a source file, such as `src/client/client.ts#L20`, if the repository has an address. */
function sourceLink(place: string): string {
  const shown = `\`${place.replace("#L", ":")}\``;
  return `Source: ${REPOSITORY === undefined ? shown : `[${shown}](${REPOSITORY}/blob/main/${place})`}`;
}

/** Returns the first sentence of a doc comment, without Markdown. */
export function summaryOf(model: Reflection): string {
  const signature = model.isDeclaration() ? model.signatures?.[0] : undefined;
  const summary = (model.comment ?? signature?.comment)?.getShortSummary(true);
  // VitePress does not escape the attribute.
  return textOf(summary).replaceAll("`", "").replaceAll('"', "'");
}
