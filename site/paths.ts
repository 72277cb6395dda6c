import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the project, with a slash at the end. */
export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** The folder with the Markdown that VitePress reads. */
export const PAGES = `${ROOT}site/pages`;

/** The folder that the site is written to. */
export const OUTPUT = `${ROOT}site/dist`;

const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as {
  readonly repository?: { readonly url: string };
};
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;

/** The address of the project's repository, from package.json or GitHub Actions; undefined if there is none. */
export const REPOSITORY: string | undefined =
  manifest.repository?.url.replace(/^git\+|\.git$/g, "") ??
  (GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`);
