import type { Contract } from "../contract/index.ts";
import type { Job } from "./attempt.ts";
import type { BaseClient } from "./base-client.ts";
import type { Answer } from "./call.ts";
import { callerStack } from "./caller-stack.ts";
import { type Exchange, operationExchange, rawExchange } from "./exchange.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { PendingCall } from "./pending-call.ts";
import { withRetries } from "./retries.ts";
import type { Send } from "./send.ts";
import { readCallSettings, readSettings, type Settings } from "./settings.ts";

/** A contract bound to the options of a client. */
export interface Connection {
  readonly send: Send;
  readonly base: BaseClient;
}

/**
 * Binds a contract to the options of a client.
 *
 * @throws {@link InvalidInputError} when an option cannot be used.
 */
export function connect(contract: Contract, options: ClientOptions): Connection {
  const settings = readSettings(contract.version, options);
  const { baseUrl } = settings;
  return {
    send: (operation, parameters, callOptions) =>
      new PendingCall(perform(settings, callOptions, () => operationExchange(baseUrl, operation, parameters))),
    base: {
      baseUrl,
      request: (method, path, requestOptions = {}) =>
        new PendingCall(perform(settings, requestOptions, () => rawExchange(baseUrl, method, path, requestOptions))),
    },
  };
}

/** Runs a call from its first moment to its end. What cannot be sent makes it fail, as everything else does. */
async function perform<Data>(
  settings: Settings,
  options: CallOptions | undefined,
  prepare: () => Exchange,
): Promise<Answer<Data>> {
  return (await withRetries(prepareJob(settings, options, prepare))) as Answer<Data>;
}

function prepareJob(settings: Settings, options: CallOptions | undefined, prepare: () => Exchange): Job {
  try {
    const exchange = prepare();
    return { settings, exchange, call: readCallSettings(settings.call, options, exchange.operation, exchange.options) };
  } catch (error) {
    throw callerStack(error);
  }
}
