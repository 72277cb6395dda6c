import type { IncomingHttpHeaders } from "node:http";
import { type ControlResponse, controlError } from "../control/control.ts";
import { isLoopback } from "../network/hosts.ts";

/** Options that restrict access to the control API. */
export interface GuardOptions {
  /** The host that the server was bound to. */
  readonly host: string;
  readonly password: string | undefined;
}

/** Refuses a request to the control interface, or lets it pass with undefined. */
export type Guard = (headers: IncomingHttpHeaders) => ControlResponse | undefined;

/**
 * Keeps web pages of other sites away from the control interface, and with a password everybody who does not know it. A
 * page can make the browser send requests here: as itself (it then names its own origin), or under a name of its own that
 * it has let point to this machine (the name then stands in `Host`).
 */
export function guardOf({ host, password }: GuardOptions): Guard {
  const knows = password === undefined ? () => true : knowing(password);
  return (headers) => {
    if (isOfOtherSite(headers))
      return controlError(403, "Forbidden", "The control interface is not open to other web sites.");
    if (password === undefined && !isOwnName(headers.host, host)) {
      const detail = `The control interface does not answer under the name "${headers.host ?? ""}"; use an IP address.`;
      return controlError(403, "Forbidden", detail);
    }
    return knows(headers.authorization) ? undefined : unauthorized();
  };
}

function isOfOtherSite({ host, origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined) return origin !== `http://${host}`;
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** A name without a dot is no public one, so no foreign page can have it. */
function isOwnName(header: string | undefined, bound: string): boolean {
  const name = (header ?? "")
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(name) || name === bound.toLowerCase()) return true;
  if (isLoopback(bound)) return false;
  return /^[\d.]+$/.test(name) || name.includes(":") || /^[\w-]+$/.test(name) || /\.(internal|local)$/.test(name);
}

/** Compares digests, which have the same length, in constant time. */
function knowing(password: string): (authorization: string | undefined) => boolean {
  // Loaded where there is a password: it takes a tenth of a server's time to start.
  const { createHash, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(password);
  return (authorization = "") => timingSafeEqual(digest(passwordIn(authorization)), expected);
}

/** The password in a header: all of a Bearer credential, or what follows the user name in a Basic one. */
function passwordIn(authorization: string): string {
  const [, scheme = "", credential = ""] = /^(\w+) +(.*)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return credential;
  if (scheme.toLowerCase() !== "basic") return "";
  const pair = Buffer.from(credential, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

function unauthorized(): ControlResponse {
  const answer = controlError(401, "Unauthorized", "The control interface asks for its password, as Bearer or Basic.");
  return {
    ...answer,
    headers: { ...answer.headers, "WWW-Authenticate": 'Basic realm="billing-mock", charset="UTF-8"' },
  };
}
