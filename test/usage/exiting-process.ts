// Adds events to a buffer that closes itself, and then does what the test asks for.

import { createClient } from "#current";
import { createEventBuffer } from "../../src/usage/index.ts";

const [baseUrl = "", accessToken = "", mode] = process.argv.slice(2);
const billing = createClient({ baseUrl, accessToken });
if (mode === "once") process.once("SIGTERM", () => setTimeout(() => process.exit(7), 500));
if (mode === "summary") process.once("beforeExit", () => usage.add({ name: "summary", external_customer_id: "acme" }));
// Linux ignores a signal that process 1 of a container sends to itself.
if (mode === "first") Object.assign(Object.defineProperty(process, "pid", { value: 1 }), { kill: () => true });
const usage = createEventBuffer(billing, {
  closeOnExit: true,
  maxDelay: mode === "retry" || mode === "lose" ? 10 : 600_000,
  minRetryDelay: 600_000,
  maxRetryDelay: 600_000,
  onRetry: () => process.disconnect(),
});
if (mode === "two") createEventBuffer(billing, { closeOnExit: true });
// Ends the process only if nothing else handles the signal, as the package signal-exit does.
const endAlone = () => process.listenerCount("SIGTERM") === 1 && process.kill(process.pid, "SIGTERM");
if (mode === "alone") process.on("SIGTERM", () => endAlone() || setTimeout(() => process.exit(7), 500));
process.channel?.ref(); // keeps the process running until it disconnects
let signals = 0;
if (mode === "listen") {
  process.on("SIGTERM", () => {
    signals += 1;
    setTimeout(() => process.exit(6 + signals), 500);
  });
}
await usage.add({ name: "api.call", external_customer_id: "acme" });
process.send?.("added");
if (mode === "flush") await usage.flush({ timeout: 2 ** 31 - 1 });
if (mode === "end" || mode === "summary" || mode === "flush") process.disconnect();
