import { type MswHandler, passThrough } from "./msw-handlers.ts";

/** Options for `start`. All are optional. */
export interface StartOptions {
  /** URL of the script that `npx msw init` writes. Defaults to `/mockServiceWorker.js`. */
  readonly serviceWorkerUrl?: string;
  /** Whether MSW logs nothing to the console. Defaults to true. */
  readonly quiet?: boolean;
}

/** Intercepts the requests of this page, and returns a function that stops it. */
export async function interceptPage(handlers: readonly MswHandler[], options: StartOptions): Promise<() => void> {
  const { serviceWorkerUrl: url = "/mockServiceWorker.js", quiet = true } = options;
  if (!("serviceWorker" in navigator)) {
    throw new TypeError(
      "mock.start: service workers are not available. They need a browser, and a page on https: or localhost.",
    );
  }
  // Imported here, so that the module can be loaded where a page is rendered on a server.
  const { setupWorker } = await import("msw/browser");
  const worker = setupWorker(...handlers);
  await worker.start({ ...passThrough, quiet, serviceWorker: { url } }).catch((cause: unknown) => {
    const fix = 'Run "npx msw init public/ --save" with the folder that your web server serves.';
    throw new Error(`mock.start: the browser cannot load MSW's worker script ${url}. ${fix}`, { cause });
  });
  return () => worker.stop();
}
