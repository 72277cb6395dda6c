/** The ids of the pending events, by their endpoint. */
export class PendingEvents {
  /** A single id stands for itself: there can be thousands of endpoints, and sets take many times as long to create. */
  readonly #idsByEndpoint = new Map<string, string | Set<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the ids of the pending events of an endpoint, oldest first. */
  of(endpointId: string): readonly string[] {
    const ids = this.#idsByEndpoint.get(endpointId) ?? [];
    return typeof ids === "string" ? [ids] : [...ids];
  }

  add({ id, endpoint_id }: PendingEvent): void {
    const ids = this.#idsByEndpoint.get(endpoint_id);
    if (typeof ids === "object" ? ids.has(id) : ids === id) return;
    if (ids === undefined) this.#idsByEndpoint.set(endpoint_id, id);
    else if (typeof ids === "string") this.#idsByEndpoint.set(endpoint_id, new Set([ids, id]));
    else ids.add(id);
    this.#size += 1;
  }

  delete({ id, endpoint_id }: PendingEvent): void {
    const ids = this.#idsByEndpoint.get(endpoint_id);
    if (typeof ids === "object" ? !ids.delete(id) : ids !== id) return;
    this.#size -= 1;
    if (typeof ids === "string" || ids?.size === 0) this.#idsByEndpoint.delete(endpoint_id);
  }

  clear(): void {
    this.#idsByEndpoint.clear();
    this.#size = 0;
  }
}

interface PendingEvent {
  readonly id: string;
  readonly endpoint_id: string;
}
