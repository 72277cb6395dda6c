import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { schedule } from "../clock/timers.ts";

/** Tracks the connections of a server, to close them when it stops. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #stop = new AbortController();
  /** Aborted when the server starts to stop. */
  readonly stopping: AbortSignal = this.#stop.signal;
  #stopped: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  /**
   * Rejects new connections, closes idle ones, and waits for pending responses. Closes all connections after the grace
   * time, in milliseconds. A second call may shorten that time.
   */
  async stop(grace: number): Promise<void> {
    const cancel = schedule(grace, () => {
      for (const socket of this.#open) socket.destroy();
    });
    this.#stopped ??= this.#close();
    await this.#stopped;
    cancel();
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
    const sweep = setInterval(() => this.#server.closeIdleConnections(), SWEEP_EVERY);
    await closed;
    clearInterval(sweep);
  }
}

/** The maximum time between the last response and the close of its connection, in milliseconds. */
const SWEEP_EVERY = 10;
