import { readFileSync } from "node:fs";
import { createMock } from "../../../mock/index.ts";
import { anchored, codeBlock, codeGroup, page, table, toJson } from "../../markdown.ts";
import { ROOT } from "../../paths.ts";
import { exportOf, sourceOf, type VersionDocs } from "../version-docs.ts";

const EVENT = "order.paid";
const URL = "https://shop.example/webhooks";
const FORMATS = ["raw", "discord", "slack"] as const;

/** Writes the page with a version's webhook event types, the rules of deliveries, and what a delivery contains. */
export async function eventTypesPage({ version, project }: VersionDocs, types: readonly string[]): Promise<string> {
  const groups = Map.groupBy(types, (type) => type.split(".")[0] ?? "");
  const rows = [...groups].map(([group, members]) => [
    anchored(group),
    members.map((type) => `\`${type}\``).join(", "),
  ]);
  const deliveries = await Promise.all(FORMATS.map((format) => deliver(version, format)));
  const payloads = deliveries.map(({ body }, index) => codeBlock("json", toJson(JSON.parse(body)), FORMATS[index]));
  const headers = Object.entries(deliveries[0]?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const front = {
    title: "Webhook event types",
    description: `The webhook event types of version ${version}, with the rules, headers and payloads of deliveries.`,
    source: sourceOf(exportOf("WEBHOOK_EVENT_TYPES", project))?.fileName,
    pageClass: "catalog",
  };
  return page(
    front,
    `The ${types.length} event types that a webhook endpoint of version ${version} can subscribe to, in ${groups.size} groups. In code, they are \`WEBHOOK_EVENT_TYPES\` and the type \`WebhookEventType\`. [Receiving webhooks](/guides/receive-webhooks) shows how to handle them, and [Testing webhooks](/guides/testing-webhooks) how a mock sends them.

${table(["Group", "Event types"], rows)}
The specification does not describe the \`data\` of the events.

## Delivery rules

${table(["Rule", "Delivery"], deliveryRules())}
Retries are [assumed](/guides/rules#G-RETRY): up to 10 attempts, with growing delays.

## Headers

The headers of a delivery. Names and signature are [assumed](/guides/rules#G-SIGN), except \`webhook-api-version\`:

${codeBlock("http", `POST /webhooks\n${headers.join("\n")}`)}
## Payloads

An endpoint's \`format\` chooses the payload. The specification names the formats only, so their fields are assumptions: [raw](/guides/rules#G-ENVELOPE), [Discord](/guides/rules#G-DISCORD) and [Slack](/guides/rules#G-SLACK).

${codeGroup(payloads)}`,
  );
}

/** Returns the rules of deliveries from the table of rules. */
function deliveryRules(): readonly (readonly string[])[] {
  const rules = readFileSync(`${ROOT}docs/rules.md`, "utf8").matchAll(/^\| (DEL-\d+) \| [^|]* \| (.*) \|$/gm);
  return [...rules].map(([, id = "", text = ""]) => [id, text]);
}

/** Lets a mock send an event, and returns what arrives. */
async function deliver(version: string, format: (typeof FORMATS)[number]) {
  const mock = createMock({ seed: 1, now: `${version}-15T12:00:00Z` });
  mock.webhookEndpoints.create({ url: URL, events: [EVENT], format, api_version: version as never });
  mock.webhooks.receive(URL, () => new Response(null, { status: 204 }));
  mock.webhooks.emit(EVENT, { id: "ord_1", amount: 4200 });
  await mock.webhooks.idle();
  return mock.webhooks.deliveries.list()[0] as { readonly body: string; readonly headers: object };
}
