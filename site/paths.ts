import { fileURLToPath } from "node:url";

/** The folder of the project, with a slash at the end. */
export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** The folder with the Markdown that VitePress reads. */
export const PAGES = `${ROOT}site/pages`;

/** The folder that the site is written to. */
export const OUTPUT = `${ROOT}site/dist`;
