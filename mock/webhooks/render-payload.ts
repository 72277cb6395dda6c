import { flattenIssues } from "../../src/contract/flatten-issues.ts";
import type { Contract } from "../../src/contract/index.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import { validate } from "../validation/validate.ts";
import type { WebhookPayload } from "./webhook-payload.ts";
import type { DeliveryPolicy } from "./webhook-policy.ts";

/** The setting with the payload of each format. */
const FORMS = { raw: "envelope", discord: "discordPayload", slack: "slackPayload" } as const;

/**
 * Writes the body of a delivery, in the format of its endpoint and with the fields that the endpoint's version
 * describes.
 *
 * @param contract The contract of the version, which may be a removed one.
 * @throws TypeError if the data does not match the contract.
 */
export function renderPayload(
  payload: WebhookPayload,
  format: StoredWebhookEndpoint["format"],
  contract: Contract | undefined,
  policy: Pick<DeliveryPolicy, "envelope" | "discordPayload" | "slackPayload">,
): string {
  const form = policy[FORMS[format]];
  return JSON.stringify(form({ ...payload, data: pickData(payload, contract) }));
}

/** Returns the fields of the data that the version describes; all of them if it does not describe the type. */
function pickData({ type, data, api_version }: WebhookPayload, contract: Contract | undefined): unknown {
  const schemas = contract?.webhookData ?? {};
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (!schema) return data;
  const checked = validate(schema, data);
  if (!checked.issues) return checked.value;
  const [first] = flattenIssues(checked.issues, data);
  const path = ["data", ...(first?.path ?? [])].join(".");
  throw new TypeError(
    `webhooks.emit: \`${path}\` does not match ${type} of version ${api_version}: ${first?.issue.message}.`,
  );
}

/**
 * Converts a value to JSON and back.
 *
 * @throws TypeError if JSON cannot represent it.
 */
export function toJson(data: unknown): unknown {
  const json = stringify(data);
  if (json === undefined) throw new TypeError(`webhooks.emit: \`data\` must be a JSON value; received ${typeof data}.`);
  return JSON.parse(json);
}

function stringify(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch (cause) {
    const [reason] = (cause as Error).message.split("\n");
    throw new TypeError(`webhooks.emit: \`data\` must be a JSON value: ${reason}`, { cause });
  }
}
