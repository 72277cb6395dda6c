import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Returns the violations of WCAG 2.2 AA and of best practices that axe detects. The menu of the site is removed from the page
 * first: it is the same everywhere, and takes axe longer than the rest.
 */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => document.querySelector(".site-menu")?.remove());
  return violationsWithMenu(page);
}

/** Returns the violations including those of the menu. In dark mode only of the colors: the rest is as in light mode. */
export async function violationsWithMenu(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return axe.run(matchMedia("(prefers-color-scheme: dark)").matches ? { runOnly: ["color-contrast"] } : {});
  });
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
        .join(" | ")}`,
  );
}
