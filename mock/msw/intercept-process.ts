import { createRequire } from "node:module";
import { setupServer } from "msw/node";
import { type MswHandler, passThrough } from "./msw-handlers.ts";

/** Options for intercepting requests. */
export interface ListenOptions {
  /**
   * Whether to intercept at the socket. That includes requests of npm's `undici` and of named imports of `node:http`
   * (`import { request } from "node:http"`), which MSW otherwise misses. Requires MSW 3. All mocks that listen at the same time
   * must have the same value. Defaults to false.
   */
  readonly sockets?: boolean;
}

/**
 * Intercepts the requests of this process. Requests to other hosts pass through. A second call for the same handlers has no
 * effect.
 *
 * @returns A function that stops the interception.
 * @throws TypeError if the installed MSW cannot do it, if another MSW server listens, or if other mocks listen with a
 * different value of `sockets`.
 */
export function interceptProcess(handlers: readonly MswHandler[], { sockets = false }: ListenOptions): () => void {
  // In Bun and Deno, MSW 3 would let requests reach the real service.
  if (handlers.some(isOfMsw3) && ("Bun" in globalThis || "Deno" in globalThis)) {
    throw new TypeError(
      "mock.listen: MSW 3 intercepts requests only in Node.js. Install msw@2, or pass mock.fetch to the client.",
    );
  }
  server ??= start(handlers, sockets);
  if (server.sockets !== sockets) {
    throw new TypeError(
      `mock.listen: \`sockets\` must be the same for all mocks; received ${sockets}, but a mock already listens with ` +
        `${server.sockets}. Pass the same value, or call \`close\` of that mock first.`,
    );
  }
  if (!listening.includes(handlers)) listening.unshift(handlers);
  update(server);
  return () => {
    listening.splice(listening.indexOf(handlers), 1);
    if (server) update(server);
  };
}

/** What intercepts the requests, with either value of `sockets`. */
interface Interceptor {
  readonly sockets: boolean;
  resetHandlers(...handlers: readonly MswHandler[]): void;
  close(): void;
}

/** The handlers of every mock that listens, newest first: of two with the same base URL, the newest answers. */
const listening: (readonly MswHandler[])[] = [];

/** The server that all mocks share: if there were several, only the newest would receive requests. */
let server: Interceptor | undefined;

/** Gives the server the handlers of the mocks that listen, and closes it with the last one. */
function update(running: Interceptor): void {
  running.resetHandlers(...listening.flat());
  if (listening.length > 0) return;
  running.close();
  server = undefined;
}

function start(handlers: readonly MswHandler[], sockets: boolean): Interceptor {
  if (isIntercepted()) {
    const advice = sockets
      ? "Close that server first: it does not see the requests of npm's `undici`, which would reach the network."
      : "Do not call `mock.listen`; call `server.use(...mock.handlers)` of that server. If you started " +
        "none, the package was loaded with both `import` and `require`; use only one of them.";
    throw new TypeError(
      `mock.listen: another MSW server already intercepts the requests of this process, and only one can. ${advice}`,
    );
  }
  if (sockets) return startAtSockets(handlers);
  const made = setupServer();
  made.listen(passThrough);
  return Object.assign(made, { sockets });
}

/**
 * Whether another server of the same MSW listens: a second one would take its requests away without a word. MSW 2 and 3
 * note their active interceptors in different places.
 */
function isIntercepted(): boolean {
  const { __MSW_INTERCEPTORS_REGISTRY: registry = new Map() } = globalThis as Registry;
  const isActive = [...registry.values()].some(({ readyState }) => readyState === "ACTIVE");
  return isActive || Symbol.for("fetch-interceptor") in globalThis;
}

interface Registry {
  readonly __MSW_INTERCEPTORS_REGISTRY?: ReadonlyMap<unknown, { readonly readyState: string }>;
}

/** The part of `msw/experimental` and `@mswjs/interceptors/http` that this module uses. MSW 2 does not have it. */
interface SocketParts {
  readonly defineNetwork: (options: object) => Pick<Interceptor, "resetHandlers"> & { enable(): void; disable(): void };
  readonly InterceptorSource: new (options: object) => object;
  readonly HttpRequestInterceptor: new () => object;
}

function startAtSockets(handlers: readonly MswHandler[]): Interceptor {
  if (!handlers.every(isOfMsw3)) {
    throw new TypeError("mock.listen: `sockets` requires MSW 3. Install it with `npm install --save-dev msw@3`.");
  }
  const { defineNetwork, InterceptorSource, HttpRequestInterceptor } = socketParts();
  const source = new InterceptorSource({ interceptors: [new HttpRequestInterceptor()] });
  const network = defineNetwork({ sources: [source], onUnhandledFrame: "bypass", context: { quiet: true } });
  network.enable();
  return Object.assign(network, { sockets: true, close: () => network.disable() });
}

/** Whether MSW 3 created a handler: MSW 2's handlers have no `dispose`. */
function isOfMsw3(handler: MswHandler): boolean {
  return "dispose" in handler;
}

/** Loads the parts of MSW. Its interceptors are its own dependency, so they are resolved from its location. */
function socketParts(): SocketParts {
  // A build for CommonJS derives `import.meta.url` from the document, where a simulated browser has one.
  const requireHere = createRequire(typeof __filename === "string" ? __filename : import.meta.url);
  const requireOfMsw = createRequire(requireHere.resolve("msw/node"));
  return { ...requireHere("msw/experimental"), ...requireOfMsw("@mswjs/interceptors/http") };
}
