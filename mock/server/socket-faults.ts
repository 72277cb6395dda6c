import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ResponseLoss } from "../faults/lose-response.ts";
import type { EncodedResponse } from "../http/encoded-response.ts";
import { flatHeaders } from "./write-response.ts";

/** Makes the connection fail instead of sending a response, as the client will see it. */
export type SocketFault = (outgoing: ServerResponse, socket: Socket, response: EncodedResponse) => void;

/** The effect of each fault on the socket. */
export const socketFaults: Readonly<Record<ResponseLoss, SocketFault>> = {
  reset: (_, socket) => socket.resetAndDestroy(),

  "empty-reply": (_, socket) => socket.end(),

  "bad-status-line": (_, socket) => socket.end("This is not HTTP.\r\n\r\n"),

  // The client waits until its own timeout, or until the server stops.
  timeout: () => {},

  truncated: (outgoing, socket, response) => {
    const bytes = Buffer.from(response.json ?? "");
    outgoing.writeHead(response.status, flatHeaders(response, Math.max(bytes.length, 2)));
    outgoing.flushHeaders();
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
    socket.end();
  },
};

/** Applies the fault that a response was lost to. */
export function applySocketFault(
  loss: ResponseLoss,
  outgoing: ServerResponse,
  socket: Socket,
  response: EncodedResponse,
): void {
  socketFaults[loss](outgoing, socket, response);
}
