// A tiny app: its page has a button, and each click is reported to the service.
import { createServer } from "node:http";
import { createClient } from "@billing-service/sdk/2025-01";

const billing = createClient({
  accessToken: process.env["BILLING_TOKEN"],
  baseUrl: process.env["BILLING_URL"],
  maxRetries: 0,
});

const page = `<!doctype html>
<title>App</title>
<button>Call</button>
<p role="status"></p>
<script>
  document.querySelector("button").onclick = async () => {
    const response = await fetch("/calls", { method: "POST" });
    document.querySelector("[role=status]").textContent = await response.text();
  };
</script>`;

/** Reports a call, and returns the text for the user. */
async function reportCall(): Promise<string> {
  const { ok, data } = await billing.events.ingest([{ name: "api.call", external_customer_id: "acme" }]).safe();
  return ok ? `${data.inserted} call reported` : "Please try again later";
}

const server = createServer(async (request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end(request.method === "POST" ? await reportCall() : page);
});
server.listen(Number(process.env["PORT"]), "127.0.0.1");
