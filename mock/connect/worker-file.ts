/** Returns the file of the worker. Bundlers recognize this form of a URL. */
export function workerFile(): URL {
  if (import.meta.url.endsWith(".ts")) return new URL("./connect-worker.ts", import.meta.url);
  return new URL("./connect-worker.js", import.meta.url);
}
