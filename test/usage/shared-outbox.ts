import { memoryOutbox, type Outbox, type OutboxEntry, OutboxError } from "../../src/usage/index.ts";

/** Returns a function that opens outboxes for the same events in memory, as a server would for several processes. */
export function sharedStore(): (leaseDuration: number) => Outbox {
  const store = memoryOutbox();
  const leases = new Map<OutboxEntry, readonly [owner: Outbox, until: number]>();
  const end = async (entries: readonly OutboxEntry[]) => {
    for (const entry of entries) leases.delete(entry);
    await store.release(entries);
  };
  return (leaseDuration) => {
    let isClosed = false;
    const open = (): Outbox => {
      if (isClosed) throw new OutboxError("closed", "the outbox is closed");
      return store;
    };
    const ownOf = (entries: Iterable<OutboxEntry>) => [...entries].filter((entry) => leases.get(entry)?.[0] === outbox);
    const lease = (entries: readonly OutboxEntry[]) => {
      for (const entry of entries) leases.set(entry, [outbox, Date.now() + leaseDuration]);
    };
    const outbox: Outbox = {
      durable: true,
      leaseDuration,
      pollInterval: 20,
      append: async (events) => open().append(events),
      take: async (limit) => {
        await end([...leases].filter(([, [, until]]) => until <= Date.now()).map(([entry]) => entry));
        const entries = await open().take(limit);
        lease(entries);
        return entries;
      },
      extend: async (entries) => lease(ownOf(entries)),
      confirm: async (entries) => {
        for (const entry of entries) leases.delete(entry);
        await open().confirm(entries);
      },
      release: async (entries) => {
        open();
        await end(ownOf(entries));
      },
      state: async () => open().state(),
      close: async () => {
        isClosed = true;
        await end(ownOf(leases.keys()));
      },
    };
    return outbox;
  };
}
