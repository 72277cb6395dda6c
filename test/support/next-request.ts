import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

const CHANNEL = "http.server.request.start";

/** Waits until a server of this thread receives a request whose path starts with the given one. */
export function nextRequest(path: string): Promise<void> {
  return new Promise((resolve) => {
    const note = (message: unknown): void => {
      const { request } = message as { readonly request: IncomingMessage };
      if (!request.url?.startsWith(path)) return;
      unsubscribe(CHANNEL, note);
      resolve();
    };
    subscribe(CHANNEL, note);
  });
}
