import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Control, MAX_CONTROL_BYTES } from "../control/control.ts";
import { CONTROL_PATH } from "../control/routes.ts";
import type { MockCore } from "../core.ts";
import { inspectorResponse } from "../inspector/inspector-response.ts";
import type { Answered } from "../service/service.ts";
import { pause } from "../time/later.ts";
import { guardOf } from "./guard.ts";
import { send } from "./send.ts";
import { lose } from "./socket-faults.ts";
import { SocketRequest } from "./socket-request.ts";
import type { Connections } from "./stop.ts";

/** What a listener is made with. */
export interface ListenerOptions {
  readonly mock: MockCore;
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
    const answered = latency ? slowly(mock, request, latency()) : mock.answer(request);
    if (!(answered instanceof Promise)) return finish(answered, outgoing, connections);
    answered.then(
      (answer) => finish(answer, outgoing, connections),
      (error: Error) => fail(error, outgoing),
    );
  };
}

function isControl(url: string): boolean {
  return (
    url.startsWith(CONTROL_PATH) &&
    (url.length === CONTROL_PATH.length || "/?".includes(url[CONTROL_PATH.length] as string))
  );
}

async function slowly(mock: MockCore, request: SocketRequest, milliseconds: number): Promise<Answered> {
  await pause(milliseconds, request.signal);
  return mock.answer(request);
}

function finish(answered: Answered, outgoing: ServerResponse, connections: Connections): void {
  const { socket } = outgoing;
  if (connections.stopping.aborted) outgoing.shouldKeepAlive = false;
  if (answered.loss === undefined) send(answered, outgoing);
  else if (socket) {
    if (answered.loss === "timeout") connections.hold(socket);
    lose(answered.loss, outgoing, socket, answered);
  }
}

/** Where the client has gone away, nobody reads it, and it does no harm. */
function fail({ message }: Error, outgoing: ServerResponse): void {
  const headers = { "Content-Type": "application/json" };
  send({ status: 500, headers, json: JSON.stringify({ error: "MockFailure", detail: message }) }, outgoing);
}

type Steer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** What answers the requests to the control interface; undefined when it is switched off. */
function steering({ mock, host, control, connections }: ListenerOptions): Steer | undefined {
  if (control === false) return undefined;
  const steered = new Control(mock, connections.stopping);
  const guard = guardOf({ host, password: control.password });
  return (incoming, outgoing) => {
    const settled = inspectorResponse(incoming) ?? guard(incoming.headers);
    const answer = settled ?? steered.answer(new SocketRequest(incoming, outgoing, MAX_CONTROL_BYTES));
    Promise.resolve(answer).then(
      ({ status, headers, body }) => send({ status, headers, json: body }, outgoing),
      (error: Error) => fail(error, outgoing),
    );
  };
}
