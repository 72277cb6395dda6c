import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

/** A site on localhost. */
export interface Site extends AsyncDisposable {
  /** Its URL without a trailing slash. */
  readonly url: string;
  /** The requested paths, in order. */
  readonly requested: string[];
}

/** The content type and the text of the response, by path. */
type Pages = Readonly<Record<string, readonly [type: string, text: string]>>;

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles a program for a page. */
export async function bundleForBrowser(entry: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
    // The imports of the docs are resolved to the sources.
    alias: { "@billing-service/sdk/mock": "./mock", "@billing-service/sdk": "./versions" },
    ...entry,
  });
  return outputFiles?.[0]?.text ?? "";
}

/** Serves pages on localhost, and 404 on every other path. Other origins may read the responses. */
export async function serve(pages: Pages): Promise<Site> {
  const requested: string[] = [];
  const answer: RequestListener = ({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    requested.push(pathname);
    const [type, text] = pages[pathname] ?? ["text/plain", "Page not found."];
    const status = pathname in pages ? 200 : 404;
    response.writeHead(status, { "Content-Type": type, "Access-Control-Allow-Origin": "*" }).end(text);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://localhost:${port}`, requested, [Symbol.asyncDispose]: close };
}

/** Serves a page that runs a guide's program unchanged, and that requests `/shows/` and its text until it is left. */
export async function siteOf(program: string): Promise<Site> {
  const script = await bundleForBrowser({ stdin: { contents: program, loader: "ts", resolveDir: "." } });
  const report = 'setInterval(() => fetch("/shows/" + encodeURIComponent(document.body.innerText.trim())), 200);';
  return serve({
    "/": ["text/html", '<!doctype html><title>Guide</title><body></body><script type="module" src="/app.js"></script>'],
    "/app.js": ["text/javascript", `${report}${script}`],
  });
}
