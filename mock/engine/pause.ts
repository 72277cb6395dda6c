/**
 * Lets other tasks run before the caller goes on. It takes a message channel, since fake timers of a test would hold up a
 * timer.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port1.close();
      port2.close();
      resolve();
    };
    port1.postMessage(undefined);
  });
}
