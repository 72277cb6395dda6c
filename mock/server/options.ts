import type { MockOptions } from "../api/mock.ts";
import { anything } from "../options/field-kinds.ts";
import { type FieldKind, formatValue, requireShape } from "../options/shape.ts";
import type { Latency } from "./latency.ts";

/** Options for `startServer`. All are optional. */
export interface ServerOptions extends MockOptions {
  /** The port; 0, the default, for any that is free. */
  readonly port?: number | undefined;
  /** The host to bind to; `127.0.0.1` by default, so that only this machine reaches the server. */
  readonly host?: string | undefined;
  /** Delay of every response of the service, in milliseconds. Defaults to none. */
  readonly latency?: Latency | undefined;
  /**
   * Maximum time to receive a request, headers and body, in milliseconds. Defaults to 60,000. A slower client gets a 408
   * and is disconnected. `0` disables the timeout.
   */
  readonly requestTimeout?: number | undefined;
  /** Switches the control interface at `/__mock` off, or gives it a password; on and without one by default. */
  readonly control?: false | { readonly password?: string };
}

/** The kinds of the options of a server, in addition to those of a mock. */
export const SERVER_OPTIONS: Readonly<Record<Exclude<keyof ServerOptions, keyof MockOptions>, FieldKind>> = {
  port: anything,
  host: anything,
  latency: anything,
  requestTimeout: { name: "an integer from 0 to 2147483647", fits: isTimeout },
  control: anything,
};

/** Refuses a port, a host or a control interface that cannot be used. */
export function checkOptions({ port = 0, host = "127.0.0.1", control = {} }: ServerOptions): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`startServer: port must be an integer from 0 to 65535, not ${formatValue(port)}.`);
  }
  // Node binds to every address of the machine where the host is empty.
  if (typeof host !== "string" || host === "") {
    throw new TypeError(`startServer: host must be a name or an address, not ${formatValue(host)}.`);
  }
  if (control !== false) checkControl(control);
}

function isTimeout(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}

/** A password that is undefined is refused: whoever names one must not get a control interface that is open to all. */
function checkControl(control: unknown): void {
  requireShape("startServer: control", control, { password: anything });
  const { password } = control as { readonly password?: unknown };
  if (!("password" in (control as object)) || (typeof password === "string" && password !== "")) return;
  const hint = password === undefined ? " (is its environment variable set?)" : "";
  throw new TypeError(`startServer: the password must be a text, not empty${hint}.`);
}
