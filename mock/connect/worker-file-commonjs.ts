import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Returns the file of the worker. The CommonJS build uses this file instead of worker-file.ts. */
export function workerFile(): URL {
  return pathToFileURL(join(__dirname, "connect-worker.js"));
}
