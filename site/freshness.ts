import { existsSync, globSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { OUTPUT, ROOT } from "./paths.ts";

const inputs = ["{src,versions,mock,site,scripts}/**/*.*", "docs/**/*.{md,png}", "*.{md,json}"];
const stamp = `${OUTPUT}/.built`;

/** Returns whether the site is newer than everything that it is built from. */
export function isFresh(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const files = globSync(inputs, { cwd: ROOT, exclude: ["site/dist/**"] });
  return files.every((file) => statSync(ROOT + file).mtimeMs <= built);
}

/** Records the start of a build, so that an input that changed during the build counts as newer. */
export function markBuilt(time: Date): void {
  writeFileSync(stamp, "");
  utimesSync(stamp, time, time);
}
