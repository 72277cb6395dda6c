import type { JsonSchema } from "./document.ts";

type Components = Readonly<Record<string, JsonSchema>>;

/** Returns the named schemas that a value refers to, directly or through other schemas. */
export function usedSchemas(components: Components, value: unknown): Components {
  const used = new Set<string>();
  collect(value, components, used);
  return Object.fromEntries(Object.entries(components).filter(([name]) => used.has(name)));
}

function collect(value: unknown, components: Components, used: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  const name = "$ref" in value ? (String(value.$ref).split("/").at(-1) as string) : "";
  if (name in components && !used.has(name)) {
    used.add(name);
    collect(components[name], components, used);
  }
  for (const inner of Object.values(value)) collect(inner, components, used);
}
