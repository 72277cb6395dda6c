// Builds the documentation site if it is stale, and serves it on this machine: `npm run docs:serve -- --port 4020`.
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { type ServerType, serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { buildSite, isFresh } from "./build.ts";
import { OUTPUT } from "./paths.ts";

/** A server of the site. */
export interface SiteServer extends AsyncDisposable {
  /** Its URL without a trailing slash. */
  readonly url: string;
}

/** Serves the site, which must be built. Port 0 means any free port. */
export async function serveSite(port: number): Promise<SiteServer> {
  const app = new Hono()
    .use(serveStatic({ root: OUTPUT }))
    .use(serveStatic({ root: OUTPUT, rewriteRequestPath: (path) => `${path}.html` }))
    .notFound((context) => context.html(readFileSync(`${OUTPUT}/404.html`, "utf8"), 404));
  const server = await new Promise<ServerType>((resolve) => {
    const starting = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, () => resolve(starting));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url, [Symbol.asyncDispose]: close };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: "string", default: "4020" } } });
  if (!isFresh()) await buildSite();
  const { url } = await serveSite(Number(values.port));
  console.log(`The documentation is at ${url}`);
}
