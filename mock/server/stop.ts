import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { schedule } from "../time/schedule.ts";

/** The connections of a server, with what stopping it needs to know of them. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #held = new Set<Socket>();
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#open.add(socket);
      socket.once("close", () => {
        this.#open.delete(socket);
        this.#held.delete(socket);
      });
    });
  }

  /** Aborted when the server begins to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Notes a connection whose request will never be answered. */
  hold(socket: Socket): void {
    this.#held.add(socket);
    if (this.stopping.aborted) socket.destroy();
  }

  /**
   * Takes no new connection, closes those on which nothing happens, and waits for the answers that are under way. What is
   * still open after the grace time is closed as it is; a second call may shorten that time.
   */
  async stop(grace: number): Promise<void> {
    const cancel = schedule(grace, () => this.#closeAll());
    this.#stopped ??= this.#stop();
    await this.#stopped;
    cancel();
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#open) {
      if (socket.bytesRead === 0 || this.#held.has(socket)) socket.destroy();
    }
    const sweep = setInterval(() => this.#server.closeIdleConnections(), SWEEP_EVERY);
    await closed;
    clearInterval(sweep);
  }

  #closeAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** How soon a connection is closed after its last answer, in milliseconds. */
const SWEEP_EVERY = 10;
