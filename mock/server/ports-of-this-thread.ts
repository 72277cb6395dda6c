/** `connectMock` checks these ports: it blocks the thread, so a server in the same thread could never respond to it. */
const registry = Symbol.for("@billing-service/sdk/mock/servers");

/** Returns the ports of the servers in this thread, including those of other copies of the package. */
export function portsOfThisThread(): Set<number> {
  const shared = globalThis as { [registry]?: Set<number> };
  shared[registry] ??= new Set();
  return shared[registry];
}
