/**
 * Waits for a number of milliseconds. Rejects with the signal's reason as soon as it aborts. No delay needs no timer, so that
 * it ends under fake timers as well.
 */
export async function wait(delay: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) throw signal.reason;
  if (delay === 0) return;
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, delay);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Waits until the event loop has run timers and handled I/O. It needs no timer, so that it ends under fake timers as well. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // Jest's jsdom environment has none.
    if (typeof MessageChannel === "undefined") return void setTimeout(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Lets the process end although a timer is running. In browsers, a timer is a number. */
export function unref(timer: ReturnType<typeof setTimeout>): void {
  (timer as { unref?(): void }).unref?.();
}

/** Runs a function. Rejects if its result takes longer than a number of milliseconds, whatever it still does. */
export function within<Result>(ms: number, run: () => Result, late: () => Error): Promise<Awaited<Result>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    const result = Promise.resolve().then(run) as Promise<Awaited<Result>>;
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Waits for a promise. Rejects with the signal's reason as soon as it aborts, whatever still happens. */
export function untilAborted<Value>(signal: AbortSignal | undefined, work: Promise<Value>): Promise<Value> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** A promise with the functions that settle it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

/** Does the same as `Promise.withResolvers`, which not every runtime has. */
export function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, "promise"> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...(settle as Omit<Deferred<Value>, "promise">) };
}
