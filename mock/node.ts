/**
 * The mock for tests in Node, based on MSW: it intercepts the requests of the process to the service's addresses, whichever
 * HTTP client sends them.
 *
 * @module mock/node
 */
import { type HttpHandler, http } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import { createEngine, type Engine } from "./api/engine.ts";
import type { ContractOptions, Mock, MockOptions } from "./api/mock.ts";
import { keepProcessAlive, rejectOnAbort } from "./clock/timers.ts";
import type { MockNames, PackagedNames } from "./generated/names.ts";
import { toResponse } from "./http/messages.ts";

/** A request handler of MSW. */
export type MswHandler = HttpHandler;

/** A mock that can intercept the requests of this process. */
export interface NodeMock<Names extends MockNames = PackagedNames> extends Mock<Names> {
  /** Request handlers for tests that have their own MSW server: `setupServer(...mock.handlers)`. */
  readonly handlers: readonly MswHandler[];
  /**
   * Starts to intercept requests to the mock's base URLs. All other requests pass through.
   *
   * @throws TypeError while another MSW server listens: pass it the `handlers` instead.
   */
  listen(): void;
  /** Stops intercepting requests. */
  close(): void;
}

/**
 * Creates a mock of the service for Node.
 *
 * @example
 * ```ts
 * import { createMock } from "@billing-service/sdk/mock/node";
 *
 * const mock = createMock();
 * beforeAll(() => mock.listen());
 * afterEach(() => mock.reset());
 * afterAll(() => mock.close());
 * ```
 * @throws TypeError when an option is unknown or invalid.
 */
export function createMock(options: ContractOptions): NodeMock<MockNames>;
export function createMock(options?: MockOptions): NodeMock;
export function createMock(options: MockOptions = {}): NodeMock<MockNames> {
  const engine = createEngine(options);
  const handlers = createMswHandlers(engine);
  let stop: (() => void) | undefined;
  return Object.assign(engine.mock, {
    handlers,
    listen: () => {
      stop = interceptProcess(handlers);
      engine.mock.checkpoint();
    },
    close: () => {
      stop?.();
      stop = undefined;
      engine.handler.endLife();
    },
  });
}

/** The handlers of every mock that listens, newest first: of two with the same base URL, the newest answers. */
const listening: (readonly MswHandler[])[] = [];

/** The server that all mocks share: if there were several, only the newest would receive requests. */
let server: SetupServer | undefined;

/**
 * Intercepts the requests of this process. Requests to other hosts pass through. A second call for the same handlers has no
 * effect.
 *
 * @returns A function that stops the interception.
 * @throws TypeError if the installed MSW cannot do it, or if another MSW server listens.
 */
function interceptProcess(handlers: readonly MswHandler[]): () => void {
  server ??= startServer(handlers);
  if (!listening.includes(handlers)) listening.unshift(handlers);
  server.resetHandlers(...listening.flat());
  return () => {
    listening.splice(listening.indexOf(handlers), 1);
    server?.resetHandlers(...listening.flat());
    if (listening.length > 0) return;
    server?.close();
    server = undefined;
  };
}

function startServer(handlers: readonly MswHandler[]): SetupServer {
  // In Bun and Deno, MSW 3 would let requests reach the real service.
  if (handlers.some(isOfMsw3) && ("Bun" in globalThis || "Deno" in globalThis)) {
    throw new TypeError(
      "mock.listen: MSW 3 intercepts requests only in Node.js. Install msw@2, or pass mock.fetch to the client.",
    );
  }
  if (handlers.some(isOfMsw3) && hasOwnDispatcher()) {
    throw new TypeError(
      "mock.listen: MSW 3 does not see requests that a proxy setting (NODE_USE_ENV_PROXY) or a global dispatcher of undici " +
        "sends; they would reach the network. Unset it in tests, install msw@2, or pass mock.fetch to the client.",
    );
  }
  if (isIntercepted()) {
    throw new TypeError(
      "mock.listen: another MSW server already intercepts the requests of this process, and only one can. Do not call " +
        "`mock.listen`; pass the mock's handlers to that server: `setupServer(...mock.handlers)`. If you started none, the " +
        "package was loaded with both `import` and `require`; use only one of them.",
    );
  }
  const started = setupServer();
  started.listen(PASS_THROUGH);
  return started;
}

/** Whether MSW 3 created a handler: MSW 2's handlers have no `dispose`. */
function isOfMsw3(handler: MswHandler): boolean {
  return "dispose" in handler;
}

/** Whether `fetch` sends requests through another dispatcher than its own. */
function hasOwnDispatcher(): boolean {
  const dispatcher = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1")) as object | undefined;
  return dispatcher !== undefined && dispatcher.constructor.name !== "Agent";
}

interface Registry {
  readonly __MSW_INTERCEPTORS_REGISTRY?: ReadonlyMap<unknown, { readonly readyState: string }>;
}

/**
 * Whether another server of the same MSW listens: a second one would silently intercept its requests. MSW 2 and 3 note their
 * active interceptors in different places.
 */
function isIntercepted(): boolean {
  const { __MSW_INTERCEPTORS_REGISTRY: registry = new Map() } = globalThis as Registry;
  const isActive = [...registry.values()].some(({ readyState }) => readyState === "ACTIVE");
  return isActive || Symbol.for("fetch-interceptor") in globalThis;
}

/** Lets requests to other hosts pass: the first option is for MSW 3, the second for MSW 2. */
const PASS_THROUGH: object = { onUnhandledFrame: "bypass", onUnhandledRequest: "bypass" };

/**
 * Creates the MSW handlers of a mock: one for each base URL. They match every method and path, because the mock also
 * answers requests to unknown ones.
 */
function createMswHandlers(engine: Engine): readonly MswHandler[] {
  const { baseUrls } = engine.mock;
  return baseUrls.map((baseUrl) => http.all(below(baseUrl), ({ request }) => respond(engine, request)));
}

/**
 * Matches a URL, which MSW gives without its query, and every path below it. MSW 2 would decode what a `*` matches, which fails
 * for paths such as `%E0%A4%A`.
 */
function below(baseUrl: string): RegExp {
  return new RegExp(`^${baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?:/|$)`);
}

/** Responds to a request. MSW has no socket, so most failures of a connection become the same network error. */
async function respond(engine: Engine, request: Request): Promise<Response> {
  const { life } = engine.handler;
  try {
    const exchange = await engine.handler.handle(request);
    if (exchange.loss === "timeout") await rejectOnAbort(request.signal, life).finally(keepProcessAlive(request));
    return exchange.loss === undefined ? toResponse(exchange, request.method) : networkError();
  } catch {
    if (life.aborted) await rejectOnAbort(request.signal).catch(() => undefined);
    return networkError();
  }
}

/** Returns the error that MSW recognizes: an instance of the global `Response`, which `@hono/node-server` replaces. */
function networkError(): Response {
  const error = Response.error();
  if (error instanceof Response) return error;
  const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(error));
  return Object.setPrototypeOf(error, Object.create(Response.prototype, members));
}

export * from "./index.ts";
