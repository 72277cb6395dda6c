import type { Method } from "../contract/index.ts";
import { Checks } from "../errors/checks.ts";
import { describeValue } from "../errors/describe-value.ts";
import { isVersion } from "../lifecycle/index.ts";
import { type Call, PendingCall, type Send } from "./call.ts";
import { DEPRECATED_VERSION } from "./generated.ts";
import type { Log } from "./log.ts";
import type { CallOptions, ClientOptions, RequestOptions } from "./options.ts";
import { type PreparedRequest, prepareOperation, prepareRequest } from "./request.ts";
import type { Answer } from "./response.ts";
import { callerStack, runCall } from "./run-call.ts";
import { type CallSettings, readCallSettings, readSettings, type Settings } from "./settings.ts";

/** A version that is bound to a client's options. */
export interface BoundVersion {
  readonly send: Send;
  /** The members of every version's client. */
  readonly base: BaseClient;
}

/**
 * Binds a version to a client's options, to write a client for your own contract.
 *
 * @example
 * ```ts
 * const { send, base } = bindVersion("2025-07", options);
 * return { ...base, events: { ingest: (events) => send(ingestEvents, { body: { events } }) } };
 * ```
 * @throws {@link InvalidInputError} when `version` is not a version (`YYYY-MM`), or an option is unknown or invalid.
 */
export function bindVersion(version: string, options: ClientOptions): BoundVersion {
  const isValid = typeof version === "string" && isVersion(version);
  new Checks({ caller: "bindVersion" }).must(isValid, "version", "be YYYY-MM", version, describeValue);
  const settings = readSettings(version, options);
  const { baseUrl } = settings;
  warnIfDeprecated(version, settings.logger);
  return {
    send: (operation, parameters, callOptions) =>
      new PendingCall(perform(settings, callOptions, () => prepareOperation(baseUrl, operation, parameters))),
    base: {
      baseUrl,
      request: (method, path, requestOptions = {}) =>
        new PendingCall(perform(settings, requestOptions, () => prepareRequest(baseUrl, method, path, requestOptions))),
    },
  };
}

/** Runs a call. An invalid argument rejects the promise; it does not throw. */
async function perform<Data>(
  settings: Settings,
  options: CallOptions | undefined,
  prepare: () => PreparedRequest,
): Promise<Answer<Data>> {
  let request: PreparedRequest;
  let call: CallSettings;
  try {
    request = prepare();
    call = options === undefined ? settings.call : readCallSettings(settings.call, options, request);
  } catch (error) {
    throw callerStack(error);
  }
  return (await runCall(settings, call, request)) as Answer<Data>;
}

let hasWarned = false;

/** Warns about the removal of the Deprecated version when the first client of it is created in a process. */
function warnIfDeprecated(version: string, { warn }: Log): void {
  if (hasWarned || version !== DEPRECATED_VERSION.version || warn === undefined) return;
  hasWarned = true;
  const { removed, current } = DEPRECATED_VERSION;
  warn(
    `createClient: version ${version} of the API is Deprecated. The release between ${removed.earliest} and ${removed.latest} removes it: import ${current} or a later version.`,
    DEPRECATED_VERSION,
  );
}

/** Members of the client of every version. */
export interface BaseClient {
  /** The base URL of all requests. */
  readonly baseUrl: string;
  /**
   * Sends a request to any path, including operations that this package does not describe. It is authenticated and versioned
   * like every call. The response is not checked, and its type is `unknown`.
   *
   * @param path The path below the base URL. It must start with `/`.
   * @example
   * ```ts
   * const orders = await billing.request("GET", "/v1/orders/", { query: { limit: 10 } });
   * ```
   */
  request(method: Method, path: string, options?: RequestOptions): Call<unknown>;
}
