import { type DeclarationReflection, ReflectionKind } from "typedoc";
import { linkTypes, page, type Symbols, table } from "../../markdown.ts";
import { exportOf, tagOf, textOf, type VersionDocs } from "../version-docs.ts";

/** Writes the page with all error classes, from their doc comments. */
export function errorPage({ project, symbols }: VersionDocs): string {
  const classes = project.getReflectionsByKind(ReflectionKind.Class) as DeclarationReflection[];
  const errors = classes.filter(({ extendedTypes = [] }) => /^(?:Billing|Api)Error\b/.test(extendedTypes.join()));
  const isUsage = ({ parent }: DeclarationReflection) => parent?.name.endsWith("/usage");
  const isWebhook = ({ name }: DeclarationReflection) => name.startsWith("Webhook");
  const groups = [
    ["Call errors", errors.filter((each) => !isUsage(each) && !isWebhook(each))],
    ["Webhook errors", errors.filter(isWebhook)],
    ["Event buffer errors", errors.filter(isUsage)],
  ] as const;
  const sections = groups.flatMap(([title, members]) => [
    `## ${title}\n`,
    `Import these from \`${members[0]?.parent?.name}\`.\n`,
    ...members.map((each) => errorSection(each, symbols)),
  ]);
  const description = "All error classes: when each is thrown, its fields, and what to do.";
  const intro = `All errors extend \`BillingError\`. Messages, stacks and printed errors contain no access tokens or webhook secrets. Compare \`name\`, or use the guard beside each class: it also recognizes errors thrown by another installed copy of the package. [Errors and retries](/guides/errors) shows how to catch them.

Every error has these fields:
`;
  return page(
    { title: "Errors", description },
    [intro, fieldTable(exportOf("BillingError", project)), ...sections].join("\n"),
  );
}

function errorSection(declaration: DeclarationReflection, symbols: Symbols): string {
  const { name, extendedTypes = [] } = declaration;
  return [
    `### ${name}\n`,
    `${textOf(declaration.comment?.summary)}\n`,
    `**What to do:** ${tagOf(declaration, "@remarks")}\n`,
    `**Class:** ${linkTypes(name, symbols)} · **Guard:** [\`is${name}\`](${symbols[`is${name}`]})\n`,
    extendedTypes.join().startsWith("ApiError") ? "It also has the fields of `ApiError`.\n" : "",
    fieldTable(declaration),
  ].join("\n");
}

/** Returns a table of the documented fields that a class declares itself. */
function fieldTable({ children = [] }: DeclarationReflection): string {
  const documented = children.filter(
    ({ comment, inheritedFrom, overwrites }) => comment && !inheritedFrom && !overwrites,
  );
  const rows = documented.map(({ name, comment }) => [`\`${name}\``, textOf(comment?.summary)]);
  return rows.length === 0 ? "" : table(["Field", "Meaning"], rows);
}
