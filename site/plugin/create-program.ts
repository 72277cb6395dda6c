import { TypeScript as ts } from "typedoc";
import { modulesOf } from "../modules.ts";
import { ROOT } from "../paths.ts";
import type { SiteVersion } from "../versions.ts";

/** Loads the sources of all versions once. Errors of types are not reported: `npm run types` does that. */
export function createProgram(versions: readonly SiteVersion[]): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const sources = new Set(versions.flatMap(({ name }) => modulesOf(name).map(({ source }) => ROOT + source)));
  return ts.createProgram([...sources], options);
}
