import { existsSync, readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import llms, { copyOrDownloadAsMarkdownButtons } from "vitepress-plugin-llms";
import type { SiteData } from "../build.ts";
import { type Guide, guideGroups, projectGuides } from "../guides/guide-list.ts";
import { slugify } from "../markdown.ts";
import { PAGES, REPOSITORY } from "../paths.ts";
import { isSearched, searchedHtml } from "../search/searched-html.ts";
import { currentVersion, noticeOf, siteVersions } from "../versions.ts";
import { accessibleTheme } from "./accessible-theme.ts";
import { linkMarkdown } from "./link-markdown.ts";

const TITLE = "Billing Service SDK";
const { base, url, sidebar, shared, symbols } = JSON.parse(readFileSync(`${PAGES}/data.json`, "utf8")) as SiteData;
const versions = siteVersions().map((version) => ({ ...version, notice: noticeOf(version) }));
const { name: current } = currentVersion();
const linkTo = ({ title, url }: Guide) => ({ text: title, link: url });
const guides = guideGroups().map(([text, members]) => ({ text, items: members.map(linkTo) }));
const project = projectGuides().map(linkTo);
const projectSidebar = [...guides, { text: "The project", items: project }];

/** Matches a page of a version's reference: `reference/2025-01/client/createClient.md`. */
const VERSION_PAGE = /^reference\/(20\d\d-\d\d)\/(.*)$/;

/** Returns the same page of the reference in each version, or a version's start page; undefined for other pages. */
function inEachVersion(page: string): readonly string[] | undefined {
  const [, version, rest] = VERSION_PAGE.exec(page) ?? [];
  if (version === undefined) return undefined;
  return versions.map(({ name }) => {
    const exists = existsSync(`${PAGES}/reference/${name}/${rest}`);
    return `/reference/${name}/${exists ? rest?.replace(/(?:index)?\.md$/, "") : ""}`;
  });
}

export default defineConfig({
  title: TITLE,
  description: "TypeScript clients for the Billing Service API, one per API version, and a mock of the service.",
  lang: "en",
  base,
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".vitepress/node_modules/.cache",
  // Keeps the navigation of all versions out of every page.
  metaChunk: true,
  lastUpdated: true,
  ...(url && { sitemap: { hostname: url } }),
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}mark.svg` }],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:site_name", content: TITLE }],
  ],
  markdown: {
    anchor: { slugify },
    container: { warningLabel: "Warning" },
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
    config: (md) => {
      md.use(linkMarkdown, symbols);
      md.use(copyOrDownloadAsMarkdownButtons, "CopyPage");
    },
  },
  vite: {
    plugins: [
      accessibleTheme,
      llms({
        injectLLMHint: false,
        stripHTML: false,
        excludeIndexPage: false,
        // llms.txt lists the pages of Current, without one for each export, and the start pages of the other versions.
        sidebar: [...guides, ...(sidebar[`/reference/${current}/`] ?? [])] as [],
        ignoreFilesPerOutput: {
          llmsTxt: [`{index.md,files/**,reference/*/*/!(*index).md,reference/!(${current})/**}`],
          llmsFullTxt: ["{index.md,files/**,reference/**}"],
        },
      }),
    ],
  },
  themeConfig: {
    logo: "/mark.svg",
    versions,
    shared,
    nav: [
      { text: "Guides", link: "/guides/quick-start", activeMatch: "^/guides/" },
      {
        text: "Reference",
        activeMatch: "^/reference/",
        items: versions.map(({ name, state }) => ({ text: `${name} (${state})`, link: `/reference/${name}/` })),
      },
    ],
    sidebar: {
      // VitePress takes the first of equally long paths.
      ...Object.fromEntries(["/files/", ...project.map(({ link }) => link)].map((path) => [path, projectSidebar])),
      "/guides/": guides,
      ...(sidebar as Record<string, []>),
    },
    outline: [2, 3],
    footerLinks: project,
    ...(REPOSITORY && {
      socialLinks: [{ icon: "github", link: REPOSITORY }],
      editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: "Edit this page" },
    }),
    lastUpdated: { text: "Last change", formatOptions: { dateStyle: "medium" } },
    search: {
      provider: "local",
      // The ranking is in ../search/search-options.ts, which the theme passes to the search.
      options: {
        _render: (text, env, md) => {
          if (!isSearched(env.relativePath, current)) return "";
          const html = md.render(text, env);
          return searchedHtml(html, env.frontmatter?.["note"]);
        },
        detailedView: true,
      },
    },
  },
  transformPageData(page, { siteConfig }) {
    const { relativePath, frontmatter, title, description } = page;
    // The file that "Edit this page" opens.
    page.filePath = frontmatter["source"];
    frontmatter["editLink"] = frontmatter["source"] !== undefined;
    // Their tables need the outline's space.
    if (relativePath === "guides/rules.md") {
      Object.assign(frontmatter, { pageClass: "wide", aside: false });
    }
    frontmatter["head"] = [
      ...(frontmatter["head"] ?? []),
      ["meta", { property: "og:title", content: title || TITLE }],
      ["meta", { property: "og:description", content: description || siteConfig.site.description }],
      ["meta", { property: "og:image", content: `${url ?? base}card.png` }],
    ];
    frontmatter["version"] = VERSION_PAGE.exec(relativePath)?.[1];
    frontmatter["versions"] = inEachVersion(relativePath);
  },
});
