import { PageEvent } from "typedoc";
import type { PagesByVersion } from "../model.ts";
import { OUTPUT } from "../paths.ts";
import { withPolicy } from "../playground/policy.ts";
import { headParts } from "../theme/head-parts.ts";
import { LinkMarkdown } from "../theme/link-markdown.ts";
import { siteTheme } from "../theme/site-theme.ts";
import { addKeywords } from "./boost-search.ts";
import { type ConvertedVersion, requireNoWarnings } from "./convert-version.ts";
import { repairSearch } from "./repair-search.ts";

/**
 * Writes the pages of a version.
 *
 * @throws Error if TypeDoc reports an error or a warning, for example a link to a heading that does not exist.
 */
export async function writeVersion({ app, model }: ConvertedVersion, pages: PagesByVersion): Promise<void> {
  const links = new LinkMarkdown(model);
  app.options.setValue("markdownItLoader", links.load);
  app.renderer.defineTheme("site", siteTheme({ model, pages, links }));
  addKeywords(app, model);
  app.renderer.hooks.on("head.end", ({ page }) => headParts(page, model));
  app.renderer.on(PageEvent.END, (page: PageEvent) => {
    if (page.model === model.playground) page.contents = withPolicy(page.contents ?? "");
  });
  const folder = `${OUTPUT}/${model.version.name}`;
  await app.renderer.render(model.project, folder);
  repairSearch(`${folder}/assets/main.js`);
  requireNoWarnings(app);
}
