import type { ControlRoute } from "./route.ts";
import { controlRoutes } from "./routes.ts";

/** A route with the parameters in the path, or the methods that the path does have. */
export type ControlMatch =
  | { readonly route: ControlRoute; readonly parameters: Readonly<Record<string, string>> }
  | { readonly allow: readonly string[] };

const patterns = controlRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`),
}));

/** Finds the route of a method and of a path below `/__mock`. */
export function find(method: string, path: string): ControlMatch {
  const fitting = patterns.filter(({ pattern }) => pattern.test(path));
  const found = fitting.find(({ route }) => route.method === method);
  if (!found) return { allow: [...new Set(fitting.map(({ route }) => route.method))] };
  const { groups = {} } = found.pattern.exec(path) as RegExpExecArray;
  return {
    route: found.route,
    parameters: Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decode(text)])),
  };
}

/** Writes the path of a route with its parameters filled in. */
export function fill({ path }: ControlRoute, parameters: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
