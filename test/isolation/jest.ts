import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run } from "./workspace.ts";

const VERSION = "30.5.2";

/** The timeout of the registry, in milliseconds. */
const PATIENCE = 90_000;

/**
 * Installs Jest in its own folder, unless it is installed, and returns the path of its program; undefined if the
 * registry does not respond in time. As a dependency of the project it would nearly double the size of an installation.
 */
export async function installedJest(): Promise<string | undefined> {
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/jest-${VERSION}`, import.meta.url));
  const program = `${folder}/node_modules/jest/bin/jest.js`;
  const mark = `${folder}/complete`;
  if (existsSync(mark)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, `{ "private": true, "dependencies": { "jest": "${VERSION}" } }`);
  const flags = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-timeout=15000",
  ];
  const { status } = await run("npm", ["install", ...flags], folder, {}, PATIENCE);
  if (status !== 0) return undefined;
  writeFileSync(mark, "");
  return program;
}
