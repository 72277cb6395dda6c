// Adds events to a buffer that closes itself, and then does what the test asks for.
import { createEventBuffer } from "../../src/usage/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";

const [baseUrl = "", accessToken = "", mode] = process.argv.slice(2);
const isEnding = mode === "end" || mode === "flush";
const billing = createClient({ baseUrl, accessToken });
if (mode === "once") process.once("SIGTERM", () => setTimeout(() => process.exit(7), 500));
const usage = createEventBuffer(billing, { closeOnExit: true, maxDelay: isEnding ? 10 : 60_000 });
if (mode === "two") createEventBuffer(billing, { closeOnExit: true });
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
if (isEnding) process.disconnect();
