import type { IncomingHttpHeaders } from "node:http";
import { type ControlResponse, controlError } from "../control/control.ts";
import { PASSWORD_REQUIRED } from "../control/routes/route.ts";
import { isLoopback } from "../network/hosts.ts";

/** Options that restrict access to the control API. */
export interface GuardOptions {
  /** The host that the server was bound to. */
  readonly host: string;
  readonly password: string | undefined;
}

/** Returns the error response to a control request, or undefined if the request is allowed. */
export type Guard = (headers: IncomingHttpHeaders) => ControlResponse | undefined;

/**
 * Creates a guard that rejects requests of web pages of other sites, and requests without the password if there is one.
 * A page can make the browser send requests to this machine: from its own origin, which `Origin` then names, or by
 * pointing its own host name to this machine, which `Host` then contains.
 */
export function guardOf({ host, password }: GuardOptions): Guard {
  const isKnown = password === undefined ? () => true : passwordCheck(password);
  return (headers) => {
    if (isOfOtherSite(headers))
      return controlError(403, "Forbidden", "The control API rejects requests from other websites.");
    if (password === undefined && !isOwnName(headers.host, host)) {
      const detail = `The control API rejects requests for the host name "${headers.host ?? ""}"; use an IP address.`;
      return controlError(403, "Forbidden", detail);
    }
    return isKnown(headers.authorization) ? undefined : passwordRequired();
  };
}

function isOfOtherSite({ host, origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined) return origin !== `http://${host}`;
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** Whether a host name belongs to this machine or its network. A public page cannot have a name without a dot. */
function isOwnName(header: string | undefined, bound: string): boolean {
  const name = (header ?? "")
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(name) || name === bound.toLowerCase()) return true;
  if (isLoopback(bound)) return false;
  return /^[\d.]+$/.test(name) || name.includes(":") || /^[\w-]+$/.test(name) || /\.(internal|local)$/.test(name);
}

/** Compares in constant time, by digests, which have the same length. */
function passwordCheck(password: string): (authorization: string | undefined) => boolean {
  // Loaded only with a password, because loading it takes a tenth of the startup time of a server.
  const { createHash, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(password);
  return (authorization = "") => timingSafeEqual(digest(passwordIn(authorization)), expected);
}

/** Returns the password in a header: the whole Bearer credential, or the part after the user name of a Basic one. */
function passwordIn(authorization: string): string {
  const [, scheme = "", credential = ""] = /^(\w+) +(.*)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return credential;
  if (scheme.toLowerCase() !== "basic") return "";
  const pair = Buffer.from(credential, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

function passwordRequired(): ControlResponse {
  const detail = "The password of the control API is missing or wrong; send it as Bearer or Basic.";
  const response = controlError(401, PASSWORD_REQUIRED, detail);
  return {
    ...response,
    headers: { ...response.headers, "WWW-Authenticate": 'Basic realm="billing-mock", charset="UTF-8"' },
  };
}
