import type { BundledPackage } from "../bundled-packages.ts";

/** Returns the content of `THIRD-PARTY-NOTICES.md`: the licenses of the bundled packages, which must come with their code. */
export function notices(packages: readonly BundledPackage[]): string {
  const sections = packages.map(({ name, licenseText }) => `## ${name}\n\n${licenseText}\n`);
  return `# Third-party notices\n\nThis package contains code from these packages.\n\n${sections.join("\n")}`;
}
