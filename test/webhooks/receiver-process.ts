// A receiver in its own process. It prints its port. A GET returns how often each event ran, and the most memory so far.
// Arguments: the secret.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookHandler, toNodeListener } from "../../versions/2025-01/webhooks.ts";

const [secret = ""] = process.argv.slice(2);
const runs: Record<string, number> = {};
const handle = createWebhookHandler({
  secret,
  on: {
    "*": ({ id }) => {
      runs[id] = (runs[id] ?? 0) + 1;
    },
  },
  onError: () => undefined,
});
const listener = toNodeListener(handle);
const server = createServer((request, response) => {
  if (request.method !== "GET") return void listener(request, response);
  response.end(JSON.stringify({ runs, peakBytes: process.resourceUsage().maxRSS * 1024 }));
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
