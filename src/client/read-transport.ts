import { describeType } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import { fetchTransport } from "./fetch-transport.ts";
import { checkFunctions } from "./option-checks.ts";
import type { ClientOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** The transport of a client, and the option that it comes from. */
export interface TransportSettings {
  readonly transport: Transport;
  /** The option that replaces the global `fetch`; undefined if none does. */
  readonly replaced: "fetch" | "transport" | undefined;
}

/** Returns the transport that the options select. */
export function readTransport({ fetch, transport }: ClientOptions): TransportSettings {
  if (transport === undefined) {
    return { transport: fetchTransport(checkFetch(fetch)), replaced: fetch === undefined ? undefined : "fetch" };
  }
  if (fetch === undefined)
    return { transport: checkFunctions("transport", transport, ["send"], true), replaced: "transport" };
  throw new InvalidInputError("transport", "must not be used together with fetch; pass one of them");
}

function checkFetch(value: ClientOptions["fetch"]): ClientOptions["fetch"] {
  if (value === undefined || typeof value === "function") return value;
  throw new InvalidInputError("fetch", `must be a function; received ${describeType(value)}`);
}
