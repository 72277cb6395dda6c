import type { MockOptions } from "../api/mock.ts";
import { anything } from "../options/field-kinds.ts";
import { type FieldKind, formatValue, requireShape } from "../options/shape.ts";
import type { Latency } from "./latency.ts";

/** Options for `startServer`. All are optional. */
export interface ServerOptions extends MockOptions {
  /** Port to listen on. Defaults to 0, which picks a free one. */
  readonly port?: number | undefined;
  /** Host to bind to. Defaults to `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined;
  /** Delay of every response of the service, in milliseconds. Defaults to none. */
  readonly latency?: Latency | undefined;
  /**
   * Maximum time to receive a request, headers and body, in milliseconds. Defaults to 60,000. A slower client gets a 408
   * and is disconnected. `0` disables the timeout.
   */
  readonly requestTimeout?: number | undefined;
  /**
   * Disables the control API and the inspector at `/__mock`, or sets their password. Defaults to enabled, without a
   * password.
   */
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

/** Throws a TypeError unless `port`, `host` and `control` are valid. */
export function checkOptions({ port = 0, host = "127.0.0.1", control = {} }: ServerOptions): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`startServer: \`port\` must be an integer from 0 to 65535; received ${formatValue(port)}.`);
  }
  // Node.js would bind to every address of the machine if the host were empty.
  if (typeof host !== "string" || host === "") {
    throw new TypeError(`startServer: \`host\` must be a host name or an address; received ${formatValue(host)}.`);
  }
  if (control !== false) checkControl(control);
}

function isTimeout(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}

/** Rejects a password that is `undefined`, because the control API would otherwise be open without anybody noticing. */
function checkControl(control: unknown): void {
  requireShape("startServer: control", control, { password: anything });
  const { password } = control as { readonly password?: unknown };
  if (!("password" in (control as object)) || (typeof password === "string" && password !== "")) return;
  const received = password === "" ? "an empty string" : typeof password;
  const hint = password === undefined ? " (is its environment variable set?)" : "";
  throw new TypeError(`startServer: \`control.password\` must be a non-empty string; received ${received}${hint}.`);
}
