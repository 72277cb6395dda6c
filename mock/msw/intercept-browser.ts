import type { MswHandler } from "./handlers.ts";

/** How MSW's service worker is used. */
export interface WorkerOptions {
  /** Where the page's server has the script that `npx msw init` writes; `/mockServiceWorker.js` by default. */
  readonly serviceWorkerUrl?: string;
  /** Whether MSW says nothing on the console; true by default. */
  readonly quiet?: boolean;
}

/** Intercepts the requests of this page; call the returned function to end it. Unknown hosts pass through. */
export async function intercept(handlers: readonly MswHandler[], options: WorkerOptions): Promise<() => unknown> {
  const { serviceWorkerUrl: url = "/mockServiceWorker.js", quiet = true } = options;
  if (!("serviceWorker" in navigator)) {
    throw new TypeError("mock.start: no service workers here; they need a browser, and a page on https: or localhost.");
  }
  // Only now, so that the module can be loaded where a page is rendered on a server.
  const { setupWorker } = await import("msw/browser");
  const worker = setupWorker(...handlers);
  await worker.start({ ...passThrough, quiet, serviceWorker: { url } });
  return () => worker.stop();
}

/** Lets unknown hosts pass: the first name is MSW 3's, the second MSW 2's. */
const passThrough: object = { onUnhandledFrame: "bypass", onUnhandledRequest: "bypass" };
