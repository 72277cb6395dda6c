import { existsSync, readFileSync } from "node:fs";
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from "vitepress";
import llms, { copyOrDownloadAsMarkdownButtons } from "vitepress-plugin-llms";
import type { SiteData, VersionNavigation } from "../build.ts";
import { guideGroups, guideUrl, projectGuides } from "../guides.ts";
import { PAGES } from "../paths.ts";
import { isSearched, searchedHtml } from "../search/searched-html.ts";
import { currentVersion, noticeOf, siteVersions } from "../versions.ts";
import { linkMarkdown, slugify } from "./link-markdown.ts";

const TITLE = "Billing Service SDK";
const { navigation, symbols } = JSON.parse(readFileSync(`${PAGES}/data.json`, "utf8")) as SiteData;
const versions = siteVersions().map((version) => ({ ...version, notice: noticeOf(version) }));

/** Matches a page of the reference: `reference/2025-01/client/createClient.md`. */
const REFERENCE_PAGE = /^reference\/(20\d\d-\d\d)\/(.*)$/;

export default defineConfig({
  title: TITLE,
  description: "TypeScript clients for the Billing Service API, one per API version, and a mock of the service.",
  lang: "en",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".vitepress/node_modules/.cache",
  // Keeps the navigation of all versions out of every page.
  metaChunk: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/mark.svg" }]],
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
    config: (md) => {
      md.use(linkMarkdown, symbols);
      md.use(copyOrDownloadAsMarkdownButtons, "CopyPage");
    },
  },
  vite: {
    plugins: [
      llms({
        injectLLMHint: false,
        stripHTML: false,
        ignoreFiles: ["playground/**"],
        ignoreFilesPerOutput: { llmsTxt: ["files/**", "reference/*/*/**"], llmsFullTxt: ["files/**", "reference/**"] },
      }),
    ],
    build: { chunkSizeWarningLimit: 5_000 },
  },
  themeConfig: {
    logo: "/mark.svg",
    versions,
    nav: [
      { text: "Guides", link: guideUrl("docs/quick-start.md"), activeMatch: "^/guides/" },
      {
        text: "Reference",
        activeMatch: "^/reference/",
        items: versions.map(({ name, state }) => ({ text: `${name} (${state})`, link: `/reference/${name}/` })),
      },
      { text: "Playground", link: "/playground/", activeMatch: "^/playground/" },
    ],
    sidebar: {
      "/guides/": guideSidebar(),
      ...Object.assign({}, ...versions.map(({ name }) => referenceSidebar(name))),
    },
    outline: [2, 3],
    footerLinks: projectGuides().map(({ title: text, file }) => ({ text, link: guideUrl(file) })),
    search: {
      provider: "local",
      // The ranking is in ../search/search-options.ts, which the theme passes to the search.
      options: { _render: renderSearched },
    },
    docFooter: { prev: "Previous", next: "Next" },
  },
  transformPageData(page, { siteConfig }) {
    const { relativePath, frontmatter, title, description } = page;
    const [, version, rest] = REFERENCE_PAGE.exec(relativePath) ?? [];
    if (version !== undefined) frontmatter.version = version;
    // Their tables need the outline's space.
    if (/^guides\/(?:rules|conformance-report)\.md$/.test(relativePath)) {
      Object.assign(frontmatter, { pageClass: "wide", aside: false });
    }
    frontmatter.head = [
      ...(frontmatter.head ?? []),
      ["meta", { property: "og:title", content: title || TITLE }],
      ["meta", { property: "og:description", content: description || siteConfig.site.description }],
      ["meta", { property: "og:type", content: "website" }],
      ["meta", { property: "og:site_name", content: TITLE }],
    ];
    if (version === undefined) return;
    // The same page in each version.
    frontmatter.versions = versions.map(({ name }) => {
      const exists = existsSync(`${PAGES}/reference/${name}/${rest}`);
      return `/reference/${name}/${exists ? rest?.replace(/(?:index)?\.md$/, "") : ""}`;
    });
  },
});

/** Renders the part of a page that the search indexes. */
function renderSearched(text: string, env: MarkdownEnv, md: MarkdownRenderer): string {
  const html = md.render(text, env);
  const isFound = isSearched(env.relativePath, currentVersion().name) && env.frontmatter?.["search"] !== false;
  return isFound ? searchedHtml(html) : "";
}

function guideSidebar() {
  return guideGroups().map(({ title, guides }) => ({
    text: title,
    items: guides.map(({ file, title: text }) => ({ text, link: guideUrl(file) })),
  }));
}

/** Returns each entry point's navigation: the operations, then all entry points, with this one's exports. */
function referenceSidebar(version: string) {
  const root = `/reference/${version}/`;
  const { modules, operations, others } = navigation[version] as VersionNavigation;
  const sidebar = (open?: string) => [
    { text: `API ${version}`, items: [{ text: "Overview", link: root }, ...others] },
    { text: "Operations", link: `${root}operations/`, items: operations },
    {
      text: "Entry points",
      items: modules.map(({ text, link, items }) => {
        return text === open ? { text, link, collapsed: false, items } : { text, link };
      }),
    },
  ];
  return {
    [root]: sidebar(),
    ...Object.fromEntries(modules.map(({ text, link }) => [link, sidebar(text)])),
  };
}
