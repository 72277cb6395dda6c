import {
  Application,
  Comment,
  type DeclarationReflection,
  OptionDefaults,
  type ProjectReflection,
  ReferenceType,
  type Reflection,
  ReflectionFlag,
  ReflectionKind,
  type ReflectionType,
  type SomeType,
  Type,
  type TypeDocOptions,
} from "typedoc";
import { ROOT } from "../../paths.ts";
import { folderOf, modulesOf } from "./modules.ts";
import options from "./typedoc.json" with { type: "json" };

const typedocOptions: TypeDocOptions = {
  ...(options.reading as object),
  tsconfig: `${ROOT}tsconfig.json`,
  basePath: ROOT,
  // In TypeDoc, `@beta` has no text.
  blockTags: [...OptionDefaults.blockTags, "@beta"],
  modifierTags: OptionDefaults.modifierTags.filter((tag) => tag !== "@beta"),
};

/** Reads a version's exports with their doc comments. Type errors are not reported: `npm run types` does that. */
export async function readExports(
  version: string,
  more: TypeDocOptions = {},
): Promise<[Application, ProjectReflection]> {
  const modules = modulesOf(version);
  // What several entry points export belongs to the first: to one that all versions share, if possible.
  const entryPoints = modules.toSorted(
    (one, other) => Number(/20\d\d/.test(one.path)) - Number(/20\d\d/.test(other.path)),
  );
  const app = await Application.bootstrapWithPlugins({
    ...typedocOptions,
    ...more,
    entryPoints: entryPoints.map(({ source }) => ROOT + source),
  });
  // A doc comment names exports of other entry points, too.
  app.converter.addUnknownSymbolResolver(({ symbolReference }, { project }) => {
    const name = symbolReference?.path?.[0]?.path ?? "";
    const index = project.children?.findIndex((module) => module.getChildByName([name])) ?? -1;
    return index < 0 ? undefined : `/reference/${folderOf(entryPoints[index]?.path ?? "")}/${name}`;
  });
  const project = await app.convert();
  if (!project) throw new Error(`TypeDoc could not read the sources of ${version}.`);
  project.children?.forEach((module, index) => {
    module.name = entryPoints[index]?.path ?? "";
    module.groups = (module.groups ?? []).filter(({ title }) => title !== "References");
    for (const { children } of module.groups) children.sort(byName);
  });
  const order = modules.map(({ path }) => path);
  project.children?.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  // A constructor without a comment is not for users.
  for (const each of project.getReflectionsByKind(ReflectionKind.Constructor) as DeclarationReflection[]) {
    const owner = each.parent as DeclarationReflection;
    if (each.signatures?.[0]?.comment) continue;
    owner.groups = (owner.groups ?? []).filter(({ title }) => title !== "Constructors");
    project.removeReflection(each);
  }
  restoreTypes(project);
  return [app, project];
}

/** Compares names as a reader does. */
export const byName = (one: Reflection, other: Reflection) => one.name.localeCompare(other.name, "en");

/** Restores rest parameters, and the name of a union such as `Scope`, which is `(typeof SCOPES)[number]`. */
function restoreTypes(project: ProjectReflection): void {
  const ofKind = (kind: ReflectionKind) => project.getReflectionsByKind(kind) as DeclarationReflection[];
  const names = new Map<string, ReferenceType>();
  for (const { name, type } of ofKind(ReflectionKind.Variable)) {
    const alias = ofKind(ReflectionKind.TypeAlias).find((each) => String(each.type) === `typeof ${name}[number]`);
    if (!alias) continue;
    const union = String(type).slice("readonly [".length, -1).replaceAll(", ", " | ");
    names.set(union, ReferenceType.createResolvedReference(alias.name, alias, project));
  }
  const generic = (name: string, ...typeArguments: unknown[]) =>
    Object.assign(ReferenceType.createBrokenReference(name, project, "typescript"), { typeArguments });
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (!(value instanceof Type)) return value;
    const { children = [] } = (value as Partial<ReflectionType>).declaration ?? {};
    const key = names.get(children.map(({ name }) => `"${name}"`).join(" | "));
    if (key) return generic("Partial", generic("Record", key, children[0]?.type));
    for (const [property, inner] of Object.entries(value)) Object.assign(value, { [property]: named(inner) });
    return names.get(String(value)) ?? value;
  };
  for (const each of ofKind(ReflectionKind.All)) {
    if (each.type) each.type = named(each.type) as SomeType;
    // A parameter or a property without a description has its type's.
    const { comment } = (each.type as Partial<ReferenceType> | undefined)?.reflection ?? {};
    if (each.kindOf([ReflectionKind.Parameter, ReflectionKind.Property]) && comment)
      each.comment ??= new Comment(comment.summary);
    // TypeDoc's text for a mapped type omits the dots.
    if (each.flags.isRest) each.name = `...${each.name}`;
    each.setFlag(ReflectionFlag.Rest, false);
  }
}
