import { globSync } from "node:fs";
import { ROOT } from "../paths.ts";
import { type Declaration, declarationsIn } from "./doc-comments.ts";
import { page, table } from "./markdown.ts";

/** The groups of errors: their source files, and the import path below the package. */
const groups = [
  { title: "Call errors", files: ["src/errors/api-error.ts", "src/errors/call-errors.ts"], from: "{version}" },
  { title: "Webhook errors", files: ["src/errors/webhook-verification-error.ts"], from: "{version}/webhooks" },
  { title: "Event buffer errors", files: ["src/usage/**/*.ts"], from: "usage" },
];

/** Writes the page with all error classes, from their doc comments. */
export function errorPage(version: string): string {
  const sections = groups.map(({ title, files, from }) => {
    const sources = globSync(files, { cwd: ROOT }).sort();
    const classes = [...declarationsIn(sources.map((file) => ROOT + file)).values()].filter(isError);
    const path = `Import these from \`@billing-service/sdk/${from.replace("{version}", version)}\`.\n`;
    return [`## ${title}\n`, path, ...classes.map(errorSection)].join("\n");
  });
  const base = declarationsIn([`${ROOT}src/errors/billing-error.ts`]).get("BillingError") as Declaration;
  const description = "All error classes: when each is thrown, its fields, and what to do.";
  return page({ title: "Errors", description }, `${intro(base)}\n${sections.join("\n")}`);
}

function isError({ bases }: Declaration): boolean {
  return bases.includes("BillingError") || bases.includes("ApiError");
}

function intro(base: Declaration): string {
  return [
    `All errors extend \`BillingError\`. Messages, stacks and printed errors contain no access tokens or webhook secrets. Compare \`name\`, or use the guard beside each class: it also recognizes errors thrown by another installed copy of the package. [Errors and retries](/guides/errors) shows how to catch them.\n`,
    "Every error has these fields:\n",
    fieldsTable(base),
  ].join("\n");
}

function errorSection(declaration: Declaration): string {
  const { name, bases, comment } = declaration;
  const advice = comment.tags["remarks"];
  if (advice === undefined) throw new Error(`${name} has no @remarks, which say what to do about the error.`);
  const inherited = bases.includes("ApiError") ? "It also has the fields of `ApiError`.\n" : "";
  return [
    `### ${name}\n`,
    `${comment.text}\n`,
    `**What to do:** ${advice}\n`,
    `**Guard:** \`is${name}(error)\`\n`,
    inherited,
    fieldsTable(declaration),
  ].join("\n");
}

function fieldsTable({ members }: Declaration): string {
  const documented = members.filter(({ comment }) => comment.text !== "");
  const rows = documented.map(({ name, comment }) => [`\`${name}\``, comment.text]);
  return rows.length === 0 ? "" : table(["Field", "Meaning"], rows);
}
