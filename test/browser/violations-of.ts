import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The widths, in pixels, in which pages are checked. */
export const WIDTHS = [1440, 390] as const;

/**
 * Returns the violations of WCAG 2.2 AA and of best practices that axe detects. In dark mode, only what depends on colors is
 * checked again. The page is in light mode afterwards.
 */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    // VitePress changes the colors in the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const options: RunOptions = {
      // The other results take as long as these.
      resultTypes: ["violations"],
      ...(colorScheme === "dark"
        ? { runOnly: ["color-contrast", "link-in-text-block"] }
        : { rules: { "target-size": { enabled: true } } }),
    };
    const { violations } = await page.evaluate((options) => {
      const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      return axe.run(options);
    }, options);
    for (const { id, nodes } of violations) {
      found.push(...nodes.slice(0, 3).map((node) => `${colorScheme}, ${id}: ${node.html} ${node.failureSummary}`));
    }
  }
  return found;
}
