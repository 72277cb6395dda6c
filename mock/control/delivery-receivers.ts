import type { Engine } from "../engine/engine.ts";

/** The receivers in other processes to which deliveries are redirected. */
export class DeliveryReceivers {
  readonly #stops = new Map<string, () => void>();
  #count = 0;

  /**
   * Redirects the deliveries to a URL to a receiver on this machine. Returns the id to stop it with.
   *
   * @throws TypeError when a URL is invalid, or when the receiver is not on 127.0.0.1 or is the control API of the mock.
   */
  add({ webhooks, own }: Engine, url: unknown, to: unknown): string {
    if (typeof url !== "string") throw new TypeError("webhooks.receive: url must be a string.");
    if (typeof to !== "string" || URL.parse(to)?.hostname !== "127.0.0.1") {
      throw new TypeError('webhooks.receive: "to" must be a URL on 127.0.0.1.');
    }
    if (own.has(to)) throw new TypeError('webhooks.receive: "to" must not be the control API of the mock.');
    const stop = webhooks.receive(url, (request) => forward(request, to));
    this.#count += 1;
    const id = `receiver-${this.#count}`;
    this.#stops.set(id, stop);
    return id;
  }

  /** Stops redirecting to a receiver. Returns false for an unknown id. */
  delete(id: string): boolean {
    this.#stops.get(id)?.();
    return this.#stops.delete(id);
  }
}

async function forward(request: Request, to: string): Promise<Response> {
  const { method, headers, signal } = request;
  return fetch(to, { method, headers, signal, body: await request.text(), redirect: "manual" });
}
