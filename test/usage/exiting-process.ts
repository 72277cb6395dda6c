// Adds events to a buffer that closes itself, and then does what the test asks for.
import { createEventBuffer } from "../../src/usage/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";

const [baseUrl = "", accessToken = "", mode] = process.argv.slice(2);
const billing = createClient({ baseUrl, accessToken });
if (mode === "once") process.once("SIGTERM", () => setTimeout(() => process.exit(7), 500));
const usage = createEventBuffer(billing, {
  closeOnExit: true,
  maxDelay: mode === "retry" ? 10 : 600_000,
  minRetryDelay: 600_000,
  maxRetryDelay: 600_000,
  onRetry: () => process.disconnect(),
});
if (mode === "two") createEventBuffer(billing, { closeOnExit: true });
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
if (mode === "end" || mode === "flush") process.disconnect();
