import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Control, MAX_CONTROL_BYTES } from "../control/control.ts";
import type { Engine } from "../engine/engine.ts";
import type { HandledRequest } from "../engine/handled-request.ts";
import { mockFailure } from "../http/mock-failure.ts";
import { inspectorResponse } from "../inspector/inspector-response.ts";
import { CONTROL_PATH, isControlPath } from "../state/own-addresses.ts";
import { sleep } from "../time/sleep.ts";
import { guardOf } from "./guard.ts";
import { send } from "./send.ts";
import { lose } from "./socket-faults.ts";
import { SocketRequest } from "./socket-request.ts";
import type { Connections } from "./stop.ts";

/** Options of a listener. */
export interface ListenerOptions {
  readonly mock: Engine;
  readonly host: string;
  readonly latency: (() => number) | undefined;
  readonly control: false | { readonly password?: string };
  readonly connections: Connections;
}

/** Makes the function that Node calls for each request. */
export function listenerOf(options: ListenerOptions): RequestListener {
  const { mock, latency, connections } = options;
  const { maxBodyBytes } = mock.assumptions;
  const steer = steering(options);
  return (incoming, outgoing) => {
    if (steer && isControl(incoming.url as string)) return steer(incoming, outgoing);
    const request = new SocketRequest(incoming, outgoing, maxBodyBytes);
    safely(outgoing, () => {
      const answered = latency ? slowly(mock, request, latency()) : mock.handle(request);
      if (!(answered instanceof Promise)) return finish(answered, outgoing, connections);
      return answered.then((answer) => finish(answer, outgoing, connections));
    });
  };
}

/** Does what answers a request. An error ends that answer, never the process. */
function safely(outgoing: ServerResponse, work: () => unknown): void {
  try {
    const done = work();
    if (done instanceof Promise) done.catch((error: unknown) => fail(error, outgoing));
  } catch (error) {
    fail(error, outgoing);
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
  if (answered.loss === undefined) send(answered, outgoing);
  else if (socket) {
    if (answered.loss === "timeout") connections.hold(socket);
    lose(answered.loss, outgoing, socket, answered);
  }
}

/** Where the client has gone away, nobody reads it, and it does no harm. */
function fail(error: unknown, outgoing: ServerResponse): void {
  if (outgoing.headersSent) return void outgoing.destroy();
  const { status, body } = mockFailure(error);
  send({ status, headers: { "Content-Type": "application/json" }, json: JSON.stringify(body) }, outgoing);
}

type Steer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** What answers the requests to the control interface; undefined when it is switched off. */
function steering({ mock, host, control, connections }: ListenerOptions): Steer | undefined {
  if (control === false) return undefined;
  const steered = new Control(mock, connections.stopping);
  const guard = guardOf({ host, password: control.password });
  return (incoming, outgoing) => {
    safely(outgoing, async () => {
      const settled = inspectorResponse(incoming) ?? guard(incoming.headers);
      const request = () => new SocketRequest(incoming, outgoing, MAX_CONTROL_BYTES);
      const answer = (await settled) ?? (await steered.respond(request()));
      send({ status: answer.status, headers: answer.headers, json: answer.body }, outgoing);
    });
  };
}
