/** The entry points that load an optional peer: MSW or Vitest, which are ES modules. */
export const withPeer: readonly string[] = ["mock/node", "mock/browser", "mock/vitest"];
