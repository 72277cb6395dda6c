// Writes the generated files of the project, and prints those that changed.
import { writeFileSync } from "node:fs";
import { committed, generatedFiles } from "./generate/files.ts";

const files = await generatedFiles();
const changed = [...files].filter(([path, text]) => committed(path) !== text);
for (const [path, text] of changed) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(`wrote ${path}`);
}
if (changed.length === 0) console.log(`all ${files.size} generated files are up to date`);
