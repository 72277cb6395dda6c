import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isLoopback } from "../../src/values/urls.ts";
import { WEBHOOK_HEADERS } from "../../src/webhooks/index.ts";
import type { Engine } from "../api/engine.ts";
import { rejectOnAbort, sleep } from "../clock/timers.ts";
import { CONTROL_PATH } from "../control/client.ts";
import { controlError, MAX_CONTROL_BYTES, PASSWORD_REQUIRED, respondToControl } from "../control/control.ts";
import type { Exchange, FaultKind } from "../faults/faults.ts";
import { mockFailure } from "../http/error-replies.ts";
import { type EncodedResponse, encodeResponse } from "../http/messages.ts";
import { inspectorResponse } from "../inspector/inspector-response.ts";
import { SocketRequest, socketFaults, writeResponse } from "./socket.ts";

/** Options for `requestListener`. */
interface ListenerOptions {
  readonly engine: Engine;
  readonly host: string;
  readonly latency: number;
  readonly control: false | { readonly password?: string };
  /** Aborted when the server starts to stop. */
  readonly stopping: AbortSignal;
}

/** Creates the function that Node.js calls for each request. */
export function requestListener(options: ListenerOptions): RequestListener {
  const { engine, latency, stopping } = options;
  const serveControl = controlListener(options);
  return (incoming, outgoing) => {
    // RFC 9112, section 3.2. Node.js would answer without `Service-Version`. It joins several values with a comma.
    const { host } = incoming.headers;
    versionsAsked.set(incoming.socket, String(incoming.headers["service-version"]));
    if (host === undefined ? incoming.httpVersion === "1.1" : host.includes(",")) {
      return writeResponse(encodeResponse(400, undefined, versionFor(incoming.socket, engine)), outgoing);
    }
    if (serveControl && isControl(incoming.url as string)) return serveControl(incoming, outgoing);
    const request = new SocketRequest(incoming, outgoing, engine.mock.assumptions.maxBodyBytes);
    const { life } = engine.handler;
    safely(outgoing, engine, async () => {
      try {
        const finished = await engine.handler.handle(request);
        if (latency > 0) await sleep(latency, request.signal);
        if (finished.loss === "timeout") await rejectOnAbort(request.signal, life, stopping);
        finish(finished, outgoing, stopping);
      } catch (error) {
        if (!life.aborted && !stopping.aborted) throw error;
        outgoing.destroy();
      }
    });
  };
}

/** The version that the last request on a connection asked for. */
const versionsAsked = new WeakMap<Duplex, string>();

/** Returns the version to name in a response of the connection: the one asked for if it is supported, otherwise Current. */
export function versionFor(socket: Duplex, { state }: Engine): string {
  const asked = versionsAsked.get(socket) ?? "";
  return state.versions.contracts.has(asked) ? asked : state.versions.current;
}

/** Runs the function that responds to a request. An error fails that response, never the process. */
function safely(outgoing: ServerResponse, service: Engine | undefined, work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    // The client may already have disconnected.
    if (outgoing.headersSent) return void outgoing.destroy();
    const { status, body } = mockFailure(error);
    writeResponse(encodeResponse(status, JSON.stringify(body), service?.mock.versions.current), outgoing);
  });
}

function isControl(url: string): boolean {
  return url.startsWith(CONTROL_PATH) && /^(\/|\?|$)/.test(url.slice(CONTROL_PATH.length));
}

function finish(finished: Exchange, outgoing: ServerResponse, stopping: AbortSignal): void {
  const { socket } = outgoing;
  if (stopping.aborted) outgoing.shouldKeepAlive = false;
  if (finished.loss === undefined) writeResponse(finished, outgoing);
  else if (socket) socketFaults[finished.loss as Exclude<FaultKind, "timeout">](outgoing, socket, finished);
  // An earlier response on the connection comes first.
  else outgoing.once("socket", () => finish(finished, outgoing, stopping));
}

type ControlListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Creates the listener for requests to the control API; undefined when it is disabled. */
function controlListener({ engine, host, control }: ListenerOptions): ControlListener | undefined {
  if (control === false) return undefined;
  const guard = guardOf(host, control.password);
  return (incoming, outgoing) => {
    safely(outgoing, undefined, async () => {
      const early = await (inspectorResponse(incoming) ?? guard(incoming.headers));
      const request = new SocketRequest(incoming, outgoing, MAX_CONTROL_BYTES);
      const response = early ?? (await respondToControl(request, engine));
      writeResponse(response, outgoing);
    });
  };
}

/** Returns the error response to a control request, or undefined if the request is allowed. */
type Guard = (headers: IncomingHttpHeaders) => EncodedResponse | undefined;

/**
 * Creates a guard that rejects webhook deliveries, requests of web pages of other sites, and requests without the password if
 * there is one.
 *
 * A page can make the browser send requests to this machine: from its own origin, which `Origin` then names, or by
 * pointing its own host name to this machine, which `Host` then contains.
 *
 * @param host The host that the server was bound to.
 */
function guardOf(host: string, password: string | undefined): Guard {
  return (headers) => {
    if (headers[WEBHOOK_HEADERS.signature] !== undefined) {
      return controlError(
        403,
        "Forbidden",
        "The control API rejects webhook deliveries, which would control the mock.",
      );
    }
    if (isOfOtherSite(headers))
      return controlError(403, "Forbidden", "The control API rejects requests from other websites.");
    if (password === undefined && !isOwnName(headers.host, host)) {
      const detail = `The control API rejects requests for the host name "${headers.host ?? ""}"; use an IP address.`;
      return controlError(403, "Forbidden", detail);
    }
    return password === undefined || passwordIn(headers.authorization) === password ? undefined : passwordRequired();
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

/** Returns the password in a header: the whole Bearer credential, or the part after the user name of a Basic one. */
function passwordIn(authorization = ""): string {
  const [, scheme = "", credential = ""] = /^(basic|bearer) +(.*)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== "basic") return credential;
  const pair = Buffer.from(credential, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

function passwordRequired(): EncodedResponse {
  const detail = "The password of the control API is missing or wrong; send it as Bearer or Basic.";
  const challenge = { "WWW-Authenticate": 'Basic realm="billing-service", charset="UTF-8"' };
  return controlError(401, PASSWORD_REQUIRED, detail, challenge);
}
