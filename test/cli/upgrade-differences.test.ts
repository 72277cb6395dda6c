import { expect, test } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import type { OpenApiDocument } from "../../src/openapi/index.ts";
import { billing } from "../support/command.ts";
import { packageWith, project } from "./upgrade-support.ts";

const [, current, next] = versionNames() as [string, string, string];

const code = `import { createClient, type WebhookEndpoint } from "@billing-service/sdk/${current}";
// duplicates, events.ingest
const billing = createClient({ accessToken });
const { inserted, duplicates } = await billing.events.ingest([
  { name: "api.call", customer_id },
]);
const endpoint: WebhookEndpoint = await billing.webhooks.createEndpoint({
  format: "discord",
  events: ["order.paid"],
});
`;

/** Changes a contract in parts that the code mentions, and in others. */
function changed(document: OpenApiDocument): OpenApiDocument {
  const copy = JSON.parse(JSON.stringify(document));
  const { schemas } = copy.components;
  delete schemas.IngestResponse.properties.duplicates;
  schemas.EventCreateCustomer.properties.name.maxLength = 64;
  schemas.WebhookFormat.enum = ["raw", "slack"];
  schemas.Pagination.properties.next_page = { type: "integer" };
  schemas.ResourceNotFound.properties.hint = { type: "string" };
  copy.paths["/v1/events/ingest"].post.security = [{ oat: ["events:write"] }];
  delete copy["x-webhook-events"]["order.paid"];
  schemas.WebhookEventType.enum = Object.keys(copy["x-webhook-events"]);
  return copy;
}

/** Runs the command of a package whose newest contract is changed. */
function upgrade(folder: string, ...args: string[]) {
  return billing(["upgrade", folder, "--to", next, ...args], {}, "", packageWith(next, changed)).ended;
}

test("billing upgrade lists the differences that the code mentions by name, breaking ones first", async () => {
  const folder = project({ "main.ts": code, "other.ts": "export const duplicates = events.ingest;\n" });
  const { stdout, stderr, code: status } = await upgrade(folder);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const main = `${folder}/main.ts`;
  expect(stdout).toContain(`
Differences from ${current} to ${next} that your code mentions by name: 5 of 7
  - events:ingest: no longer accepts the credential pat (breaking)
      mentions events.ingest: ${main}:4
  ~ EventCreateCustomer.name: maximum length is 64; it was 128 (breaking)
      mentions name: ${main}:5
  - IngestResponse.duplicates: field removed (breaking)
      mentions duplicates: ${main}:4
  ~ WebhookFormat: no longer has the value "discord" (breaking)
      mentions WebhookFormat or "discord": ${main}:8
  - order.paid: event type removed (breaking)
      mentions "order.paid": ${main}:9
  Not mentioned: 2, 0 breaking; see docs/upgrading.md of the package.
`);
});

test("billing upgrade --json contains every difference with the places that mention it", async () => {
  const folder = project({ "main.ts": code });
  const { steps } = JSON.parse((await upgrade(folder, "--dry-run", "--json")).stdout);
  expect(steps).toHaveLength(1);
  expect(steps[0].differences).toHaveLength(7);
  expect(steps[0].differences).toContainEqual({
    area: "webhook event",
    change: "removed",
    subject: "order.paid",
    message: "event type removed",
    breaking: true,
    operations: [],
    name: '"order.paid"',
    mentions: [{ path: `${folder}/main.ts`, line: 9 }],
  });
});
