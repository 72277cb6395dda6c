import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The part of axe that the tests use. */
interface Axe {
  run(selector: string, options: { readonly runOnly?: readonly string[] }): Promise<AxeResults>;
}

/**
 * Returns the violations of WCAG 2.2 AA and of best practices that axe detects in a part of a page.
 *
 * @param rules The ids of the rules to check; all by default.
 */
export async function violationsOf(page: Page, part = "html", rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    ([selector, options]) => (globalThis as unknown as { axe: Axe }).axe.run(selector, options),
    [part, { ...(rules && { runOnly: [...rules] }) }] as const,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
        .join(" | ")}`,
  );
}
