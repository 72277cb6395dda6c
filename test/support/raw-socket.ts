import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** How a connection ended, and what came over it before. */
export interface Raw {
  readonly text: string;
  /** `end` when the server closed in order, else the code of the failure; `open` when the connection still stood. */
  readonly ending: string;
}

/** Longer than any server takes to close a connection that it means to close. */
const PATIENCE = 20_000;

/** Sends bytes to a server, and reads until it closes the connection or a time has passed. */
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

/** Reads until the other side closes or a time has passed. */
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

/** Whether a server still takes new connections. */
export function isOpen(url: string): Promise<boolean> {
  return open(url).then(
    (socket) => {
      socket.on("error", () => {}).destroy();
      return true;
    },
    () => false,
  );
}

/** Begins a request, and gives its connection once the server waits for the body. */
export async function begin(url: string, line: string, headers: Readonly<Record<string, string>>): Promise<Socket> {
  const socket = await open(url);
  socket.write(requestText(line, { ...headers, Expect: "100-continue" }));
  await once(socket, "data");
  return socket;
}

/** Writes a request as it goes over the wire. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ""): string {
  const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, "", body].join("\r\n");
}
