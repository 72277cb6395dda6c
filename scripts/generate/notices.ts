import { readFileSync } from "node:fs";

/** The packages whose code is inside `dist`: the build puts it there, so their licences have to come along. */
const BUNDLED = ["hono", "preact", "pure-rand", "zod"] as const;

/** The licences of what the published package holds of others, as `THIRD-PARTY-NOTICES.md`. */
export function notices(): string {
  const sections = BUNDLED.map((name) => `## ${name}\n\n${licenseOf(name)}\n`);
  return `# Third-party notices\n\nThe mock in this package holds code of these packages.\n\n${sections.join("\n")}`;
}

function licenseOf(name: string): string {
  const text = readFileSync(new URL(`../../node_modules/${name}/LICENSE`, import.meta.url), "utf8");
  return text.replaceAll("\r\n", "\n").trim();
}
