import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The received text of a connection, and how it ended. */
export interface Raw {
  readonly text: string;
  /** `end` if the server closed the connection, `open` if it is still open, otherwise the code of the failure. */
  readonly ending: string;
}

/** Longer than a server needs to close a connection, in milliseconds. */
const PATIENCE = 20_000;

/** Sends bytes to a server, and reads until it closes the connection or the timeout expires. */
export async function exchange(url: string, bytes: string, milliseconds = PATIENCE): Promise<Raw> {
  const socket = await open(url);
  socket.write(bytes);
  return read(socket, milliseconds);
}

/** Opens a connection to a server. */
export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** Reads until the other side closes or the timeout expires. */
export function read(socket: Socket, milliseconds = PATIENCE): Promise<Raw> {
  return new Promise((resolve) => {
    let text = "";
    const finish = (ending: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, ending });
    };
    const timer = setTimeout(() => finish("open"), milliseconds);
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
    });
    socket.once("end", () => finish("end"));
    socket.once("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  });
}

/** Whether a server accepts new connections. */
export async function isOpen(url: string): Promise<boolean> {
  const socket = await open(url).catch(() => undefined);
  socket?.on("error", () => {}).destroy();
  return socket !== undefined;
}

/** Sends bytes to a server, and returns the first that it sends back. */
export async function firstAnswer(url: string, bytes: string): Promise<string> {
  const socket = await open(url);
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  const [data] = await once(socket, "data");
  return String(data);
}

/** Starts a request, and returns its connection when the server waits for the body. */
export async function begin(url: string, line: string, headers: Readonly<Record<string, string>>): Promise<Socket> {
  const socket = await open(url);
  socket.write(requestText(line, { ...headers, Expect: "100-continue" }));
  await once(socket, "data");
  return socket;
}

/** Returns a request as sent over the wire. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ""): string {
  const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, "", body].join("\r\n");
}
