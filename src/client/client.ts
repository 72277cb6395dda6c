import type { Contract, Method } from "../contract/index.ts";
import type { Job } from "./attempt.ts";
import type { Answer, Call } from "./call.ts";
import { callerStack } from "./caller-stack.ts";
import type { CallOptions, ClientOptions, RequestOptions } from "./options.ts";
import { PendingCall } from "./pending-call.ts";
import { readCallSettings, readSettings, type Settings } from "./read-options.ts";
import { type PreparedRequest, prepareOperation, prepareRequest, type Send } from "./request.ts";
import { runCall } from "./run-call.ts";
import { warnIfDeprecated } from "./warn-if-deprecated.ts";

/** A contract bound to the options of a client. */
export interface BoundContract {
  readonly send: Send;
  readonly base: BaseClient;
}

/**
 * Binds a contract to the options of a client.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function bindContract(contract: Contract, options: ClientOptions): BoundContract {
  const settings = readSettings(contract.version, options);
  const { baseUrl } = settings;
  warnIfDeprecated(contract.version, settings.logger);
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
  return (await runCall(prepareJob(settings, options, prepare))) as Answer<Data>;
}

function prepareJob(settings: Settings, options: CallOptions | undefined, prepare: () => PreparedRequest): Job {
  try {
    const request = prepare();
    return { settings, request, call: readCallSettings(settings.call, options, request.operation, request.options) };
  } catch (error) {
    throw callerStack(error);
  }
}

/** Members of the client of every version. */
export interface BaseClient {
  /** The base URL of all requests. */
  readonly baseUrl: string;
  /**
   * Sends a request to any path of the service, including operations that this package does not describe. It is
   * authenticated and versioned like every call. The response is not checked, and its type is `unknown`.
   *
   * @param path The path below the base URL. It must start with `/`.
   * @example
   * ```ts
   * const orders = await billing.request("GET", "/v1/orders/", { query: { limit: 10 } });
   * ```
   */
  request(method: Method, path: string, options?: RequestOptions): Call<unknown>;
}
