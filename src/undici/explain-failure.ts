/** Error codes for an address without a server, such as a host that only MSW intercepts. */
const NO_SERVER = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Adds to the error of a failed connection that MSW does not intercept undici, if MSW is active in this process. */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !isMswActive()) return error;
  const { code } = error as { code?: unknown };
  if (typeof code !== "string" || !NO_SERVER.has(code)) return error;
  const advice =
    "MSW does not intercept undici: use `fetch: mock.fetch` instead of `transport`, `mock.listen({ sockets: true })`, " +
    "or the URL of a standalone mock as `baseUrl`";
  return Object.assign(new Error(`${error.message || code}; ${advice}`), { code });
}

/** Returns whether MSW intercepts requests in this process, from what MSW 2 and MSW 3 store in the global object. */
function isMswActive(): boolean {
  const { __MSW_INTERCEPTORS_REGISTRY: registry } = globalThis as { __MSW_INTERCEPTORS_REGISTRY?: unknown };
  const interceptors: Interceptor[] = registry instanceof Map ? [...registry.values()] : [];
  return Symbol.for("fetch-interceptor") in globalThis || interceptors.some((each) => each?.readyState === "ACTIVE");
}

/** An interceptor of MSW 3, which stays registered after it was closed. */
interface Interceptor {
  readonly readyState?: unknown;
}
