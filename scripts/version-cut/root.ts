import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));
