import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ResponseLoss } from "../faults/lose-response.ts";
import type { EncodedResponse } from "../http/encoded-response.ts";
import { headersOf } from "./send.ts";

/** Loses an answer on its way: a failure of the connection itself, as a client on the other end will see it. */
export type SocketFault = (outgoing: ServerResponse, socket: Socket, answer: EncodedResponse) => void;

/** The effect of each fault on the socket. */
export const socketFaults: Readonly<Record<ResponseLoss, SocketFault>> = {
  reset: (_, socket) => socket.resetAndDestroy(),

  "empty-reply": (_, socket) => socket.end(),

  "bad-status-line": (_, socket) => socket.end("This is not HTTP.\r\n\r\n"),

  // The client waits until it gives up; when the server stops, the connection is closed.
  timeout: () => {},

  truncated: (outgoing, socket, answer) => {
    const bytes = Buffer.from(answer.json ?? "");
    outgoing.writeHead(answer.status, headersOf(answer, Math.max(bytes.length, 2)));
    outgoing.flushHeaders();
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
    socket.end();
  },
};

/** Loses an answer as a fault says. */
export function lose(loss: ResponseLoss, outgoing: ServerResponse, socket: Socket, answer: EncodedResponse): void {
  socketFaults[loss](outgoing, socket, answer);
}
