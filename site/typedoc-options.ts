import type { TypeDocOptions } from "typedoc";
import { allGuides, unlistedFiles } from "./guides.ts";
import { PLAYGROUND, ROOT, STYLE } from "./paths.ts";

/** Types that only the package itself uses. */
const intentionallyNotExported = [
  "BillingErrorOptions",
  "ApiErrorOptions",
  "InvalidInputErrorOptions",
  "STATUS_TEXTS",
  "NotAKnownType",
  "NotAKnownType.Value",
  "NotAUser",
  "NotAUser.Value",
];

/** Returns the options of TypeDoc, the same for every version. */
export function typedocOptions(): TypeDocOptions {
  return {
    name: "Billing Service SDK",
    theme: "site",
    router: "site",
    projectDocuments: [...allGuides().map(({ file }) => file), ...unlistedFiles(), PLAYGROUND].map(
      (file) => ROOT + file,
    ),
    customCss: STYLE,
    customJs: `${ROOT}site/assets/site.js`,
    favicon: `${ROOT}site/assets/favicon.svg`,
    readme: "none",
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    disableGit: true,
    githubPages: false,
    hideGenerator: true,
    cacheBust: false,
    includeHierarchySummary: false,
    lightHighlightTheme: "github-light-high-contrast",
    darkHighlightTheme: "github-dark-default",
    highlightLanguages: ["ts", "js", "json", "sh", "diff", "html", "tsx", "python", "yaml", "text"],
    navigation: { includeCategories: true, includeGroups: false, includeFolders: false },
    searchInComments: true,
    searchInDocuments: true,
    headings: { readme: true, document: true },
    sort: ["source-order"],
    sortEntryPoints: false,
    visibilityFilters: { inherited: true },
    // Functions are checked apart: here, the kind would include every method of every structural type.
    requiredToBeDocumented: ["Class", "Interface", "Variable", "TypeAlias", "Enum"],
    validation: { notExported: true, invalidLink: true, invalidPath: true, notDocumented: true },
    treatWarningsAsErrors: true,
    intentionallyNotExported,
    externalSymbolLinkMappings: {},
  };
}
