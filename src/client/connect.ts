import type { Contract } from "../contract/index.ts";
import type { BaseClient } from "./base-client.ts";
import type { ClientOptions } from "./options.ts";
import type { Send } from "./send.ts";

/** A contract bound to the options of a client. */
export interface Connection {
  readonly send: Send;
  readonly base: BaseClient;
}

/** Binds a contract to the options of a client. */
export function connect(contract: Contract, options: ClientOptions): Connection {
  throw new Error("TODO");
}
