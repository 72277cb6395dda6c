import type { Page } from "../control/pages.ts";

/** The inspector's page. From the sources it is put together here; the build puts the finished page in this file's place. */
export async function page(): Promise<Page> {
  const { bundle } = await import("./bundle.ts");
  return bundle();
}
