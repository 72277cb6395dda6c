import type {
  Comment,
  DeclarationReflection,
  ProjectReflection,
  Reflection,
  SignatureReflection,
  SourceReference,
} from "typedoc";
import type { Symbols } from "../markdown.ts";

/** What the pages of a version are written from. */
export interface VersionDocs {
  readonly version: string;
  /** The version's exports with their doc comments, by entry point. */
  readonly project: ProjectReflection;
  readonly symbols: Symbols;
}

/** Returns the text of a doc comment as Markdown. Links become code, and the lines of a paragraph are joined. */
export function textOf(parts: Readonly<Comment["summary"]> = []): string {
  const text = parts.map((part) => (part.kind === "inline-tag" ? `\`${part.text}\`` : part.text)).join("");
  return text.replaceAll(/(?<!\n)\n(?!\n|- )\s*/g, " ").trim();
}

/** Returns the text of a tag in a doc comment; empty without the tag. */
export function tagOf({ comment }: { readonly comment?: Comment | undefined }, tag: `@${string}`): string {
  return textOf(comment?.getTag(tag)?.content);
}

/** Finds the declaration of an export. */
export function exportOf(name: string, { children = [] }: ProjectReflection): DeclarationReflection {
  const exported = children.flatMap((module) => module.children ?? []);
  const found = exported.find((each) => each.name === name && !each.isReference());
  if (!found) throw new Error(`No entry point exports "${name}".`);
  return found;
}

/** Returns the parameters of a function as they are declared. */
export function parametersOf({ parameters = [] }: SignatureReflection): readonly string[] {
  return parameters.map(({ name, flags, type }) => `${name}${flags.isOptional ? "?" : ""}: ${type}`);
}

/** Returns where something is declared. */
export function sourceOf(model: Reflection): SourceReference | undefined {
  const { sources, signatures } = model as Partial<DeclarationReflection>;
  return (sources ?? signatures?.[0]?.sources)?.[0];
}
