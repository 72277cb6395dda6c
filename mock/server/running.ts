/** The servers of this thread, by port: a call that blocks the thread could never be answered by one of them. */
const registry = Symbol.for("@billing-service/sdk/mock/servers");

/** The ports of the servers that run in this thread, also those of another copy of the package. */
export function portsOfThisThread(): Set<number> {
  const shared = globalThis as { [registry]?: Set<number> };
  shared[registry] ??= new Set();
  return shared[registry];
}
