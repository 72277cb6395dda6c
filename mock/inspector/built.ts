import type { Page } from "../control/pages.ts";

let made: Promise<Page> | undefined;

/** The inspector's page. From the sources it is put together here; the build puts the finished page in this file's place. */
export function page(): Promise<Page> {
  made ??= import("./bundle.ts").then(({ bundle }) => bundle());
  return made;
}
