import manifest from "./package.json" with { type: "json" };
import { entryPoints } from "./scripts/entry-points.ts";

const programs = Object.values(manifest.bin ?? {}).map((file) => file.replace(/^(?:\.\/)?dist\/|\.js$/g, ""));
const entries = Object.entries(entryPoints()).filter(([name]) => !programs.includes(name));

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "@billing-service/sdk",
  entryPoints: entries.map(([, source]) => source),
  out: "docs/reference",
  customCss: "docs/reference.css",
  // Pages for users; docs/architecture.md is for contributors.
  projectDocuments: ["docs/!(architecture).md"],
  includeVersion: true,
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  highlightLanguages: ["ts", "js", "json", "sh", "diff"],
  githubPages: false,
  validation: { notExported: true, invalidLink: true },
  treatWarningsAsErrors: true,
  // Types that only the package itself uses.
  intentionallyNotExported: [
    "BillingErrorOptions",
    "ApiErrorOptions",
    "InvalidInputErrorOptions",
    "IsGroup",
    "NotAKnownType",
    "NotAKnownType.Value",
  ],
};
