// Writes the generated files of the project, and prints those that changed. Removes reports of versions that are gone.
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { committed, generatedFiles } from "./generate/files.ts";

const files = await generatedFiles();
mkdirSync("api", { recursive: true });
const changed = [...files].filter(([path, text]) => committed(path) !== text);
for (const [path, text] of changed) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(`wrote ${path}`);
}
for (const path of globSync("api/*.md").filter((each) => !files.has(each))) {
  rmSync(path);
  console.log(`removed ${path}`);
}
if (changed.length === 0) console.log(`all ${files.size} generated files are up to date`);
