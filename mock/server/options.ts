import type { MockOptions } from "../mock.ts";
import type { Latency } from "./latency.ts";

/** What a server is started with. Nothing is needed. */
export interface ServerOptions extends MockOptions {
  /** The port; 0, the default, for any that is free. */
  readonly port?: number;
  /** The host to bind to; `127.0.0.1` by default, so that only this machine reaches the server. */
  readonly host?: string;
  /** How long every answer of the service takes at least, in milliseconds; no time by default. */
  readonly latency?: Latency;
  /** Switches the control interface at `/__mock` off, or gives it a password; on and without one by default. */
  readonly control?: false | { readonly password?: string };
}

/** Refuses a port or a password that cannot be used. */
export function checkOptions({ port = 0, control }: ServerOptions): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`startServer: port must be a whole number from 0 to 65535, not ${JSON.stringify(port)}.`);
  }
  if (control && control.password === "") throw new TypeError("startServer: the password must not be empty.");
}
