import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The color schemes and widths, in pixels, in which pages are checked. */
export const SCREENS = [
  ["light", 1440],
  ["light", 390],
  ["dark", 1440],
  ["dark", 390],
] as const;

/** Returns the violations of WCAG 2.2 AA and of best practices that axe detects, without those of rules in `except`. */
export async function violationsOf(page: Page, except: readonly string[] = []): Promise<readonly string[]> {
  await page.evaluate(axe);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const { violations } = await page.evaluate(
    (options) => {
      const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      return axe.run(options);
    },
    { rules },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
