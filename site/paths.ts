import { fileURLToPath } from "node:url";

/** The folder of the project, with a slash at the end. */
export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** The folder that the site is written to. */
export const OUTPUT = `${ROOT}site/dist`;

/** The page of the playground, from the folder of the project. */
export const PLAYGROUND = "site/playground/page.md";

/** The style of the site, in one file. */
export const STYLE = `${ROOT}node_modules/.cache/site/site.css`;
