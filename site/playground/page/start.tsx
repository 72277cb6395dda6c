import { render } from "preact";
import type { PlaygroundData } from "../playground-data.ts";
import { App } from "./app.tsx";
import type { Verifier } from "./session/verify-delivery.ts";

/** Shows the playground. */
export function start(
  modules: Readonly<Record<string, { readonly verifyWebhook: unknown }>>,
  data: PlaygroundData,
): void {
  const { src } = document.currentScript as HTMLScriptElement;
  const props = {
    data,
    verifiers: new Map(
      Object.entries(modules).map(([path, module]) => [versionIn(path), module.verifyWebhook as Verifier]),
    ),
    version: data.versions[0]?.name ?? "",
    workerScript: new URL("worker.js", src).href,
  };
  render(<App {...props} />, document.getElementById("playground") as HTMLElement);
}

/** Returns the version in an import path: `@billing-service/sdk/2025-01/webhooks`. */
function versionIn(path: string): string {
  return path.split("/").at(-2) ?? "";
}
