/**
 * Keeps the process alive while something waits for timers that do not do so themselves. A listening port keeps it
 * alive, because a timer would get in the way of a test's fake timers.
 *
 * @returns A function that lets the process end.
 */
export function keepProcessAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.onmessage = () => {};
  return () => port1.close();
}
