import { readFileSync } from "node:fs";

/** The packages that the build bundles into `dist`. Their licenses must be distributed with it. */
const BUNDLED = ["hono", "preact", "pure-rand", "zod"] as const;

/** Returns the content of `THIRD-PARTY-NOTICES.md`: the licenses of the bundled packages. */
export function notices(): string {
  const sections = BUNDLED.map((name) => `## ${name}\n\n${licenseOf(name)}\n`);
  return `# Third-party notices\n\nThe mock in this package contains code from these packages.\n\n${sections.join("\n")}`;
}

function licenseOf(name: string): string {
  const text = readFileSync(new URL(`../../node_modules/${name}/LICENSE`, import.meta.url), "utf8");
  return text.replaceAll("\r\n", "\n").trim();
}
