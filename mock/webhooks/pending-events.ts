/** The ids of the pending events, by their endpoint. */
export class PendingEvents {
  readonly #idsByEndpoint = new Map<string, Set<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the ids of the pending events of an endpoint, oldest first. */
  of(endpointId: string): readonly string[] {
    return [...(this.#idsByEndpoint.get(endpointId) ?? [])];
  }

  add({ id, endpoint_id }: PendingEvent): void {
    const ids = this.#idsByEndpoint.get(endpoint_id) ?? new Set();
    if (ids.has(id)) return;
    this.#idsByEndpoint.set(endpoint_id, ids.add(id));
    this.#size += 1;
  }

  delete({ id, endpoint_id }: PendingEvent): void {
    const ids = this.#idsByEndpoint.get(endpoint_id);
    if (!ids?.delete(id)) return;
    this.#size -= 1;
    if (ids.size === 0) this.#idsByEndpoint.delete(endpoint_id);
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
