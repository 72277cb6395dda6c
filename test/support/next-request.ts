import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server } from "node:http";

const CHANNEL = "http.server.request.start";

/** Waits until a server of this thread receives a request whose path starts with the given one, and returns the server. */
export function nextRequest(path: string): Promise<Server> {
  return new Promise((resolve) => {
    const note = (message: unknown): void => {
      const { request, server } = message as { readonly request: IncomingMessage; readonly server: Server };
      if (!request.url?.startsWith(path)) return;
      unsubscribe(CHANNEL, note);
      resolve(server);
    };
    subscribe(CHANNEL, note);
  });
}
