import { createRequire } from "node:module";
import type { SetupServer } from "msw/node";
import type { MswHandler } from "./handlers.ts";
import { needed } from "./needed.ts";

const { setupServer } = await needed(import("msw/node"));

/** MSW's makers of handlers for requests. */
export const { http }: typeof import("msw") = await needed(import("msw"));

/** How requests are intercepted. */
export interface ListenOptions {
  /**
   * Intercepts at the socket, and so also what npm's `undici` sends and what is sent through named imports of
   * `node:http` (`import { request } from "node:http"`), which MSW otherwise misses. It needs MSW 3; false by default.
   */
  readonly sockets?: boolean;
}

/** Intercepts the requests of this process; call the returned function to end it. Unknown hosts pass through. */
export function intercept(handlers: readonly MswHandler[], { sockets = false }: ListenOptions): () => void {
  if (handlers.some(isOfMsw3) && isForeign()) {
    throw new TypeError(
      "mock.listen: MSW 3 sees no request outside of Node.js; install msw@2, or hand mock.fetch to the client.",
    );
  }
  if (sockets) return interceptSockets(handlers);
  listening.unshift(handlers);
  update();
  return () => {
    listening.splice(listening.indexOf(handlers), 1);
    update();
  };
}

/** The handlers of every mock that listens, the newest first: where two have the same address, it answers. */
const listening: (readonly MswHandler[])[] = [];

/** The one server of all mocks: of several, MSW would let only the newest see any request. */
let server: SetupServer | undefined;

/** Makes the server know who listens now; it ends with the last one. */
function update(): void {
  server ??= start();
  server.resetHandlers(...listening.flat());
  if (listening.length > 0) return;
  server.close();
  server = undefined;
}

function start(): SetupServer {
  const made = setupServer();
  made.listen(passThrough);
  return made;
}

/** Lets unknown hosts pass: the first name is MSW 3's, the second MSW 2's. */
const passThrough: object = { onUnhandledFrame: "bypass", onUnhandledRequest: "bypass" };

/** The part of `msw/experimental` and `@mswjs/interceptors/http` that is used here; MSW 2 does not have it. */
interface SocketParts {
  readonly defineNetwork: (options: object) => { enable(): void; disable(): void };
  readonly InterceptorSource: new (options: object) => object;
  readonly HttpRequestInterceptor: new () => object;
}

function interceptSockets(handlers: readonly MswHandler[]): () => void {
  if (!handlers.every(isOfMsw3)) {
    throw new TypeError("mock.listen: sockets needs MSW 3; install it with `npm install --save-dev msw@3`.");
  }
  const { defineNetwork, InterceptorSource, HttpRequestInterceptor } = socketParts();
  const source = new InterceptorSource({ interceptors: [new HttpRequestInterceptor()] });
  const network = defineNetwork({ sources: [source], handlers, onUnhandledFrame: "bypass", context: { quiet: true } });
  network.enable();
  return () => network.disable();
}

/** Whether this is Bun or Deno: with MSW 3, what a test sends would go to the service itself, unseen. */
function isForeign(): boolean {
  return "Bun" in globalThis || "Deno" in globalThis;
}

/** The handlers of MSW 2 cannot be disposed of. */
function isOfMsw3(handler: MswHandler): boolean {
  return "dispose" in handler;
}

/** MSW is not bound to the interceptors that it brings along, so they are asked for in its name. */
function socketParts(): SocketParts {
  const fromHere = createRequire(import.meta.url);
  const fromMsw = createRequire(fromHere.resolve("msw/node"));
  return { ...fromHere("msw/experimental"), ...fromMsw("@mswjs/interceptors/http") };
}
