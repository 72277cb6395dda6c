import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { formatLink, type LinkContent } from "../../site/playground/link.ts";
import type { OpenPage } from "../browser/chromium.ts";
import { startSite } from "./start-site.ts";

/** The playground in a browser. */
export interface OpenPlayground {
  /** Opens a page of the site. Fails the test if the page throws, or requests something from another host. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Opens the playground of Current with the content of a link. */
  openPlayground(content?: LinkContent, options?: BrowserContextOptions): Promise<Page>;
}

/** Serves the site for the tests of a file. */
export function startPlayground(openPage: OpenPage): OpenPlayground {
  const site = startSite(openPage);
  const open = (path: string, options: BrowserContextOptions = {}) =>
    site.open(path, { viewport: { width: 1440, height: 900 }, ...options });
  const openPlayground = (content: LinkContent = {}, options: BrowserContextOptions = {}) =>
    open(`playground/#${formatLink(content)}`, options);
  return { open, openPlayground };
}

/** Clicks a button. */
export function click(page: Page, name: string): Promise<void> {
  return page.getByRole("button", { name }).click();
}

/** Finds an editor by its label. */
export function editor(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}

/** Finds the right side of the open tab. */
export function result(page: Page): Locator {
  return page.locator(".playground-panel > :not([hidden]) .playground-result");
}

/** Waits for what the page announces to screen readers. */
export async function announced(page: Page, text: RegExp | string): Promise<void> {
  await expect.poll(() => page.getByRole("status").first().innerText()).toMatch(text);
}

/** Runs a program, and returns its output after its end. */
export async function run(page: Page, code: string): Promise<string> {
  await editor(page, "Program").fill(code);
  await click(page, "Run the program");
  await announced(page, /finished|failed|stopped/);
  return page.getByRole("region", { name: "Output" }).innerText();
}
