import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../../", import.meta.url));
const own = manifest.name;

/** Packs the package as it is published, into a folder. Returns the path of the tarball. */
export function pack(folder: string): string {
  const parameters = ["pack", "--json", "--ignore-scripts", `--pack-destination=${folder}`];
  const [packed] = JSON.parse(execFileSync("npm", parameters, { cwd: root, encoding: "utf8" }));
  return join(folder, packed.filename);
}

/** The files in a tarball, as paths inside the package. */
export function filesIn(tarball: string): string[] {
  const listed = execFileSync("tar", ["tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  return listed.map((file) => file.replace(/^package\//, ""));
}

/**
 * Makes a folder what `npm install` of the tarball and of more packages makes of an empty one, without the registry: the
 * other packages are linked to those of this repository.
 */
export function install(folder: string, tarball: string, packages: readonly string[]): void {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { [own]: tarball } }));
  unpack(tarball, join(folder, "node_modules", own));
  linkPackages(join(folder, "node_modules"), join(root, "node_modules"), packages);
  for (const name of [own, ...packages]) linkCommands(join(folder, "node_modules"), name);
}

/** Links packages of one `node_modules` into another, except those that are already there. */
export function linkPackages(modules: string, from: string, names: readonly string[]): void {
  for (const name of names) link(join(from, name), join(modules, name));
}

/** Makes a folder of a project its own project, with the same packages. Returns its path. */
export function subproject(project: string, name: string): string {
  const folder = join(project, "projects", name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(project, "package.json"), join(folder, "package.json"));
  link(join(project, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["xzf", tarball, "-C", folder, "--strip-components=1"]);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}

function linkCommands(modules: string, name: string): void {
  const { bin = {} } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  const commands: Readonly<Record<string, string>> = typeof bin === "string" ? { [name]: bin } : bin;
  for (const [command, file] of Object.entries(commands)) {
    const target = join(modules, name, file);
    if (name === own) chmodSync(target, 0o755);
    link(target, join(modules, ".bin", command));
  }
}
