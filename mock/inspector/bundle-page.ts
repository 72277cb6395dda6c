import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SCRIPT = fileURLToPath(new URL("page/main.tsx", import.meta.url));
const STYLE = fileURLToPath(new URL("page/layout.css", import.meta.url));
/** The logo of the documentation site. */
const MARK = new URL("../../site/public/mark.svg", import.meta.url);
const LICENSE = new URL("../../node_modules/preact/LICENSE", import.meta.url);

/** A self-contained page and the HTTP headers to serve it with. */
export interface InspectorPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** Bundles the inspector into one HTML page with inline script and style, and a content security policy for them. */
export async function bundlePage(): Promise<InspectorPage> {
  const [script, style] = await Promise.all([bundle(SCRIPT), bundle(STYLE)]);
  return { headers: headersFor(script, style), html: htmlFor(script, style) };
}

async function bundle(entry: string): Promise<string> {
  const options = { bundle: true, minify: true, target: "es2022", charset: "utf8", logLevel: "silent" } as const;
  const loader = { ".svg": "dataurl" } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [entry], format: "esm", write: false, loader });
  return (outputFiles[0]?.text ?? "").trim();
}

/** Allows only the inline script and style, and requests to the server that served the page. */
function headersFor(script: string, style: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept",
  };
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function htmlFor(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Billing mock</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(readFileSync(MARK, "utf8").trim())}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The inspector requires JavaScript.</noscript>
<script type="module">${script}</script>
<!-- Includes Preact:
${readFileSync(LICENSE, "utf8").trim()}
-->
</body>
</html>
`;
}
