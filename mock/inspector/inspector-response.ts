import type { IncomingMessage } from "node:http";
import { CONTROL_PATH } from "../control/client.ts";
import type { EncodedResponse } from "../http/messages.ts";

/**
 * Returns the inspector's page to a browser that opens `/__mock`, and undefined for every other request: a program gets
 * the list of control routes there. The page contains no data, so it needs no password.
 */
export function inspectorResponse({ method, url, headers }: IncomingMessage): Promise<EncodedResponse> | undefined {
  const path = url?.replace(/\?.*$/, "").replace(/\/$/, "");
  const isPage = method === "GET" && path === CONTROL_PATH && headers.accept?.includes("text/html") === true;
  return isPage ? servePage() : undefined;
}

/** Loads the page on the first request for it, so that a server without visitors starts faster. */
async function servePage(): Promise<EncodedResponse> {
  const { loadPage } = await import("./load-page.ts");
  const { headers, html } = await loadPage();
  return { status: 200, headers, body: html };
}
