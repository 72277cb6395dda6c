import type { Engine } from "../engine/engine.ts";

/** The functions of other processes that receive deliveries: each is known by the address to which it has them sent. */
export class Receivers {
  readonly #ends = new Map<string, () => void>();
  #count = 0;

  /** Has the deliveries to a URL sent to a receiver on this machine. */
  add({ webhooks, own }: Engine, url: unknown, to: unknown): string {
    if (typeof url !== "string") throw new TypeError("webhooks.receive: url must be a text.");
    if (typeof to !== "string" || URL.parse(to)?.hostname !== "127.0.0.1") {
      throw new TypeError("webhooks.receive: the receiver must listen on 127.0.0.1.");
    }
    if (own.has(to)) throw new TypeError("webhooks.receive: the receiver must not be the mock's own control API.");
    const end = webhooks.receive(url, (request) => forward(request, to));
    this.#count += 1;
    const id = `receiver-${this.#count}`;
    this.#ends.set(id, end);
    return id;
  }

  /** Ends it; false when there was none. */
  remove(id: string): boolean {
    this.#ends.get(id)?.();
    return this.#ends.delete(id);
  }
}

async function forward(request: Request, to: string): Promise<Response> {
  const { method, headers, signal } = request;
  return fetch(to, { method, headers, signal, body: await request.text(), redirect: "manual" });
}
