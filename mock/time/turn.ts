/** Taken before a test can put a fake one in its place. Browsers do not have it. */
const { setImmediate } = globalThis as { readonly setImmediate?: (call: () => void) => unknown };

/** Lets everything else that is due run first. Fake timers do not control it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate) setImmediate(resolve);
    else post(resolve);
  });
}

function post(call: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    call();
  };
  port2.postMessage(undefined);
}
