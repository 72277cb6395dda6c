import { closestName } from "../../src/values/describe.ts";
import type { RequestContext } from "../operations/operation.ts";
import { fieldNames } from "../validation/body-schema.ts";

/** The maximum number of warnings of one mock. */
const MAX_WARNINGS = 100;

/** Returns a function that warns once about each field of an operation that the service ignores. */
export function ignoredFieldWarner(warn: (message: string) => void): (context: RequestContext) => void {
  const warned = new Set<string>();
  return ({ match, ignored }) => {
    const { id, request } = match?.route.operation ?? {};
    for (const path of ignored) {
      const message = `${id} ignored the unknown field ${path}`;
      if (warned.has(message) || warned.size === MAX_WARNINGS) continue;
      warned.add(message);
      const names = [request?.query, request?.body].flatMap((schema) => (schema ? fieldNames(schema) : []));
      const meant = closestName(path.slice(path.lastIndexOf(".") + 1), names);
      warn(meant === undefined ? message : `${message}; did you mean ${meant}?`);
    }
  };
}
