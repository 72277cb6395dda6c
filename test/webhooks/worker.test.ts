import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { expect, it, onTestFinished } from "vitest";
import { createMock } from "../../mock/index.ts";
import { WEBHOOK_EVENT_TYPES } from "../../versions/2025-01/webhooks.ts";

const source = `
  import { createWebhookHandler } from "./versions/2025-01/webhooks.ts";
  const received = [];
  let handle;
  export default {
    async fetch(request, env) {
      if (request.method === "GET") return Response.json(received);
      handle ??= createWebhookHandler({ secret: env.SECRET, on: { "*": ({ type, data }) => void received.push([type, data]) } });
      return handle(request);
    },
  };
`;

async function startWorker(secret: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL("../..", import.meta.url)) },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
  });
  const script = outputFiles[0]?.text ?? "";
  const options = { modules: true, script, compatibilityDate: "2025-01-01", bindings: { SECRET: secret } } as const;
  const miniflare = new Miniflare(options);
  onTestFinished(() => miniflare.dispose());
  return new URL("/webhooks", await miniflare.ready).href;
}

it("DEL-8: a bundle in a worker receives every type from the mock, signed with the original scheme, each event once", async () => {
  const mock = createMock();
  const events = [...WEBHOOK_EVENT_TYPES];
  const endpoint = mock.webhookEndpoints.create({ uses_standard_webhook_signature: false, events });
  const url = await startWorker(endpoint.secret);
  mock.webhookEndpoints.update(endpoint.id, { url });

  const [first] = events.flatMap((type) => mock.webhooks.emit(type, { type }));
  await mock.webhooks.idle();
  mock.webhooks.redeliver(first?.id ?? "");
  await mock.webhooks.idle();
  const statuses = mock.webhooks.deliveries.list().map(({ response_status }) => response_status);
  expect(statuses).toEqual(Array(events.length + 1).fill(204));
  const received: [string, unknown][] = await (await fetch(url)).json();
  expect(received.sort()).toEqual(events.map((type) => [type, { type }]).sort());
});
