/** Taken when the module loads, before a test can replace it with a fake. Browsers do not have it. */
const { setImmediate } = globalThis as { readonly setImmediate?: (call: () => void) => unknown };

/** Lets everything else that is ready run before the caller continues. Fake timers do not control it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate) setImmediate(resolve);
    else postMessageTo(resolve);
  });
}

function postMessageTo(call: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    call();
  };
  port2.postMessage(undefined);
}
