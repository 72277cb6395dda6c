import { createHash } from "node:crypto";

/**
 * Adds a content security policy to a page, which also holds for the workers that it creates: nothing but files of the site
 * is loaded, and no request leaves the browser. The scripts in the page are allowed by their hashes; the editor adds styles
 * to the page.
 */
export function withPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]+?)<\/script>/g)].map(([, code]) => `'${hashOf(code ?? "")}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' blob: ${scripts.join(" ")}`,
    "worker-src blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">`;
  return html.replace('<meta charset="utf-8">', (charset) => charset + meta);
}

function hashOf(code: string): string {
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}
