import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { formatLink, type LinkContent } from "../../site/playground/link.ts";
import type { OpenPage } from "../browser/chromium.ts";
import { type StartedSite, startSite } from "./start-site.ts";

/** The playground in a browser. */
export interface OpenPlayground extends Pick<StartedSite, "open"> {
  /** Opens the playground with the content of a link. */
  openPlayground(content?: LinkContent, options?: BrowserContextOptions): Promise<Page>;
}

/** Serves the site for the tests of a file. */
export function startPlayground(openPage: OpenPage): OpenPlayground {
  const { open } = startSite(openPage);
  const openPlayground = async (content: LinkContent = {}, options?: BrowserContextOptions) => {
    const page = await open(`playground/#${formatLink(content)}`, options);
    await page.locator(".pg").waitFor();
    return page;
  };
  return { open, openPlayground };
}

/** Clicks a button of the playground. */
export function click(page: Page, name: string): Promise<void> {
  return page.locator(".pg").getByRole("button", { name, exact: true }).click();
}

/** Finds an editor or a field by its label. */
export function editor(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}

/** Finds the version switch, or another select. */
export function select(page: Page, name: string): Locator {
  return page.locator(".pg").getByRole("combobox", { name, exact: true }).filter({ visible: true });
}

/** Finds the result of the open tab. */
export function result(page: Page): Locator {
  return page.locator(".pg-result").filter({ visible: true });
}

/** Waits until the result of the open tab contains a text. */
export async function shows(page: Page, text: RegExp | string): Promise<void> {
  await expect.poll(() => result(page).innerText()).toMatch(text);
}

/** Runs a program, and returns its output after its end. */
export async function run(page: Page, code: string): Promise<string> {
  await editor(page, "Program").fill(code);
  await click(page, "Run");
  await expect.poll(() => page.locator(".pg [role=status]").innerText()).toMatch(/finished|failed|stopped/);
  return page.getByRole("region", { name: "Console" }).innerText();
}
