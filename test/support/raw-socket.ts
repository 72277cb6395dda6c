import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** How a connection ended, and what came over it before. */
export interface Raw {
  readonly text: string;
  /** `end` when the server closed in order, else the code of the failure; `open` when the connection still stood. */
  readonly ending: string;
}

/** Sends bytes to a server, and reads until it closes the connection or a time has passed. */
export async function exchange(url: string, bytes: string, milliseconds = 2_000): Promise<Raw> {
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
export function read(socket: Socket, milliseconds: number): Promise<Raw> {
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

/** Writes a request as it goes over the wire. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ""): string {
  const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, "", body].join("\r\n");
}
