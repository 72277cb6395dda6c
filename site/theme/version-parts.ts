import type { JSX } from "typedoc";
import type { PagesByVersion } from "../model.ts";
import { currentVersion, type SiteVersion, siteVersions } from "../versions.ts";
import { h } from "./h.ts";

/** A page on which a selector or a banner of versions stands. */
export interface VersionedPage {
  readonly version: SiteVersion;
  /** The URL of the page, from the start page of its version. */
  readonly url: string;
  readonly pages: PagesByVersion;
  /** Returns the URL of a file of the site, from this page. */
  readonly fromRoot: (path: string) => string;
}

/** Renders the menu of versions. It keeps the reader on the page if the other version has it. */
export function versionSelector(page: VersionedPage): JSX.Element {
  const { version } = page;
  return h(
    "details",
    { class: "version-menu" },
    h(
      "summary",
      { "aria-label": `API version ${version.name}, ${version.state}. Choose another version` },
      label(version),
    ),
    h(
      "ul",
      null,
      siteVersions().map((other) =>
        h(
          "li",
          null,
          h(
            "a",
            { href: urlIn(other, page), "aria-current": other.name === version.name ? "true" : undefined },
            label(other),
          ),
        ),
      ),
    ),
  );
}

/** Renders a warning on the pages of Deprecated and Next. */
export function versionBanner(page: VersionedPage): JSX.Element | undefined {
  const { state, name } = page.version;
  if (state === "Current") return undefined;
  const current = currentVersion();
  const link = h("a", { href: urlIn(current, page) }, `${current.name} (Current)`);
  const text = state === "Next" ? nextText(page.version) : deprecatedText(page.version);
  return h(
    "aside",
    { class: `version-banner state-${state.toLowerCase()}`, "aria-label": `${state} version` },
    h("strong", null, `${name} is ${state}. `),
    text,
    state === "Next" ? " For production, use " : " Move to ",
    link,
    ".",
  );
}

function nextText({ dates }: SiteVersion): string {
  return `It is in development and may change at any time, even in incompatible ways. It becomes Current in the first week of ${month(dates.current.from.earliest)}.`;
}

function deprecatedText({ dates }: SiteVersion): string {
  return `It stops working in the first week of ${month(dates.removed.earliest)} (${dates.removed.earliest} to ${dates.removed.latest}); requests for it then return 404.`;
}

function month(day: string): string {
  return new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(day));
}

function label({ name, state }: SiteVersion): JSX.Children {
  return [
    h("span", { class: "version-name" }, name),
    " ",
    h("span", { class: `version-state state-${state.toLowerCase()}` }, state),
  ];
}

/** Returns the URL of the same page in a version, or of its start page. */
function urlIn({ name }: SiteVersion, { url, pages, fromRoot }: VersionedPage): string {
  return fromRoot(`../${name}/${pages.get(name)?.has(url) ? url : "index.html"}`);
}
