import type { Contract } from "../contract/index.ts";
import type { JsonSchema, OpenApiDocument, Parameter, WebhookObject } from "./document.ts";
import type { Schemas } from "./schemas.ts";

/** Returns the headers of a delivery, by the names of their components. */
export function webhookParameters(version: string): Record<string, Parameter> {
  const header = (name: string, description: string, schema: JsonSchema, example: string): Parameter => {
    return { name, in: "header", required: true, description, schema, example };
  };
  const text = { type: "string" };
  return {
    WebhookId: header("webhook-id", "The event's id, the same in every retry (G-SIGN).", text, "evt_1"),
    WebhookTimestamp: header("webhook-timestamp", "When it was signed, in seconds (G-SIGN).", text, "1735689600"),
    WebhookSignature: header("webhook-signature", "`v1,` and the signature (G-SIGN).", text, "v1,c2lnbmF0dXJl"),
    WebhookApiVersion: header("webhook-api-version", "The version of the payload.", constant(version), version),
  };
}

/** Returns the deliveries of every event type, with the payload of the format `raw` (G-ENVELOPE). */
export function webhooksOf(
  { version, webhookEventTypes, webhookData }: Contract,
  schemas: Schemas,
): OpenApiDocument["webhooks"] {
  const parameters = Object.keys(webhookParameters(version)).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  const entries = webhookEventTypes.map((type) => {
    const data = webhookData[type];
    const schema = {
      type: "object",
      required: ["type", "timestamp", "api_version", "data"],
      properties: {
        type: { const: type },
        timestamp: { type: "string", format: "date-time" },
        api_version: constant(version),
        data: data === undefined ? {} : schemas.write(data),
      },
      "x-assumption": "G-ENVELOPE",
    };
    const post: WebhookObject = {
      operationId: `webhook:${type}`,
      summary: `An event of the type ${type}.`,
      // The signature takes the place of a credential.
      security: [],
      parameters,
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses: { "2XX": { description: "The receiver has processed the event." } },
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(entries);
}

function constant(value: string): JsonSchema {
  return { type: "string", const: value, default: value, examples: [value] };
}
