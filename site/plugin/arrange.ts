import {
  type DeclarationReflection,
  type DocumentReflection,
  type ProjectReflection,
  ReflectionCategory,
  ReflectionKind,
} from "typedoc";
import type { GuidePages } from "../model.ts";

/** Titles of the parts of a module, in order, with the source files whose exports belong there. */
const parts: readonly (readonly [title: string, files: RegExp])[] = [
  ["Errors", /^src\/errors\//],
  ["Models", /^versions\/[^/]+\/models\//],
  ["Errors by operation", /^versions\/[^/]+\/resources\//],
  ["Client options and calls", /^src\/client\//],
  ["Contract", /^(?:src\/contract|versions\/[^/]+\/contract)/],
];

const order = [
  "Start here",
  "Resources",
  "Functions",
  "Client options and calls",
  "Models",
  "Errors",
  "Errors by operation",
  "Classes",
  "Types",
  "Constants",
  "Contract",
];

type Child = DeclarationReflection | DocumentReflection;

/** What the arrangement depends on. */
export interface ArrangeOptions {
  readonly project: ProjectReflection;
  readonly guides: readonly GuidePages[];
  readonly playground: DocumentReflection;
  /** The source file of an export, from the folder of the project. */
  readonly fileOf: (reflection: DeclarationReflection) => string;
  /** The names of the interfaces of the resources. */
  readonly resources: ReadonlySet<string>;
}

/** Sorts the navigation: guides by need, then modules; in a module, what users call before types. */
export function arrange({ project, guides, playground, fileOf, resources }: ArrangeOptions): void {
  const groups = guides.map(({ title, guides: list }, index) => {
    const pages = list.map(({ page }) => page);
    return category(title, index === 0 ? [...pages, playground] : pages);
  });
  const reference = category("Reference", project.children ?? []);
  project.categories = [...groups.slice(0, -1), reference, ...groups.slice(-1)];
  for (const module of project.children ?? []) {
    const titles = new Map((module.children ?? []).map((child) => [child, titleOf(child, fileOf(child), resources)]));
    module.categories = order
      .map((title) =>
        category(title, (module.children ?? []).filter((child) => titles.get(child) === title).sort(compare)),
      )
      .filter(({ children }) => children.length > 0);
  }
}

function category(title: string, children: readonly Child[]): ReflectionCategory {
  const made = new ReflectionCategory(title);
  made.children = [...children];
  return made;
}

function titleOf(child: DeclarationReflection, file: string, resources: ReadonlySet<string>): string {
  if (child.name === "createClient" || child.name === "BillingClient") return "Start here";
  if (resources.has(child.name) && file.startsWith("versions/")) return "Resources";
  const part = parts.find(([, files]) => files.test(file));
  if (part) return part[0];
  if (child.kindOf(ReflectionKind.Function)) return "Functions";
  if (child.kindOf(ReflectionKind.Class)) return "Classes";
  return child.kindOf(ReflectionKind.Variable) ? "Constants" : "Types";
}

/** Sorts functions and classes before types, then by name. */
function compare(one: Child, other: Child): number {
  return weight(one) - weight(other) || one.name.localeCompare(other.name, "en");
}

function weight(child: Child): number {
  const target = child.isReference() ? child.getTargetReflectionDeep() : child;
  const kinds = [ReflectionKind.Function, ReflectionKind.Class, ReflectionKind.Variable];
  const index = kinds.findIndex((kind) => target.kindOf(kind));
  return index === -1 ? kinds.length : index;
}
