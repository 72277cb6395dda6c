import type { InspectorPage } from "./bundle-page.ts";

let page: Promise<InspectorPage> | undefined;

/** Returns the inspector's page, bundled once from its sources. The build replaces this file with the bundled page. */
export function loadPage(): Promise<InspectorPage> {
  page ??= import("./bundle-page.ts").then(({ bundlePage }) => bundlePage());
  return page;
}
