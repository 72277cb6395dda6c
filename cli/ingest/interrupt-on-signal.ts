import type { Ingestion } from "./ingestion.ts";

/** The time that requests in flight have after a signal, in milliseconds. */
export const STOP_GRACE = 5_000;

/**
 * Stops an ingestion on SIGINT (Ctrl+C) or SIGTERM: nothing more is read, and requests in flight have {@link STOP_GRACE}
 * milliseconds to end. A second signal cancels them immediately.
 *
 * @returns A function that ends watching signals.
 */
export function interruptOnSignal(ingestion: Ingestion, onStop: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (): void => {
    if (timer === undefined) {
      timer = setTimeout(() => ingestion.cancel(), STOP_GRACE);
      onStop();
      ingestion.stop();
    } else ingestion.cancel();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return () => {
    clearTimeout(timer);
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  };
}
