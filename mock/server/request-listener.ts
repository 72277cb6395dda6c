import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Control, MAX_CONTROL_BYTES } from "../control/control.ts";
import type { Engine } from "../engine/engine.ts";
import type { HandledRequest } from "../engine/handled-request.ts";
import { encodeResponse } from "../http/encoded-response.ts";
import { mockFailure } from "../http/mock-failure.ts";
import { inspectorResponse } from "../inspector/inspector-response.ts";
import { CONTROL_PATH, isControlPath } from "../state/own-addresses.ts";
import { sleep } from "../time/sleep.ts";
import type { Connections } from "./connections.ts";
import { guardOf } from "./guard.ts";
import { applySocketFault } from "./socket-faults.ts";
import { SocketRequest } from "./socket-request.ts";
import { writeResponse } from "./write-response.ts";

/** Options for `requestListener`. */
export interface ListenerOptions {
  readonly mock: Engine;
  readonly host: string;
  readonly latency: (() => number) | undefined;
  readonly control: false | { readonly password?: string };
  readonly connections: Connections;
}

/** Creates the function that Node.js calls for each request. */
export function requestListener(options: ListenerOptions): RequestListener {
  const { mock, latency, connections } = options;
  const { maxBodyBytes } = mock.assumptions;
  const respondToControl = controlListener(options);
  return (incoming, outgoing) => {
    if (respondToControl && isControl(incoming.url as string)) return respondToControl(incoming, outgoing);
    const request = new SocketRequest(incoming, outgoing, maxBodyBytes);
    safely(outgoing, mock, () => {
      const answered = latency ? slowly(mock, request, latency()) : mock.handle(request);
      if (!(answered instanceof Promise)) return finish(answered, outgoing, connections);
      return answered.then((answer) => finish(answer, outgoing, connections));
    });
  };
}

/** Runs the function that responds to a request. An error fails that response, never the process. */
function safely(outgoing: ServerResponse, service: Engine | undefined, work: () => unknown): void {
  try {
    const done = work();
    if (done instanceof Promise) done.catch((error: unknown) => fail(error, outgoing, service));
  } catch (error) {
    fail(error, outgoing, service);
  }
}

function isControl(url: string): boolean {
  return url.startsWith(CONTROL_PATH) && isControlPath(url.replace(/\?.*$/s, ""));
}

async function slowly(mock: Engine, request: SocketRequest, milliseconds: number): Promise<HandledRequest> {
  await sleep(milliseconds, request.signal);
  return mock.handle(request);
}

function finish(answered: HandledRequest, outgoing: ServerResponse, connections: Connections): void {
  const { socket } = outgoing;
  if (connections.stopping.aborted) outgoing.shouldKeepAlive = false;
  if (answered.loss === undefined) writeResponse(answered, outgoing);
  else if (socket) {
    if (answered.loss === "timeout") connections.hold(socket);
    applySocketFault(answered.loss, outgoing, socket, answered);
  }
}

/** Sends an error response. The client may already have disconnected. */
function fail(error: unknown, outgoing: ServerResponse, service: Engine | undefined): void {
  if (outgoing.headersSent) return void outgoing.destroy();
  const { status, body } = mockFailure(error);
  writeResponse(encodeResponse(status, JSON.stringify(body), service?.versions.current, undefined), outgoing);
}

type ControlListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Creates the listener for requests to the control API; undefined when it is disabled. */
function controlListener({ mock, host, control, connections }: ListenerOptions): ControlListener | undefined {
  if (control === false) return undefined;
  // Created by the first request to it, because it loads Web Crypto, which takes a tenth of the startup time of a server.
  let api: Control | undefined;
  const guard = guardOf({ host, password: control.password });
  return (incoming, outgoing) => {
    safely(outgoing, undefined, async () => {
      const early = await (inspectorResponse(incoming) ?? guard(incoming.headers));
      api ??= new Control(mock, connections.stopping);
      const request = () => new SocketRequest(incoming, outgoing, MAX_CONTROL_BYTES);
      const { status, headers, body } = early ?? (await api.respond(request()));
      writeResponse({ status, headers, json: body }, outgoing);
    });
  };
}
