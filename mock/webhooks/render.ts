import type { Contract } from "../../src/contract/index.ts";
import { flattenIssues } from "../../src/contract/issues.ts";
import type { WebhookEndpoint } from "../state/records.ts";
import type { PayloadForm, WebhookPayload } from "./payload.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";

/**
 * Writes the body of a delivery: in the format of the endpoint, with the fields that its version describes.
 *
 * @param contract The endpoint's version; removed ones count.
 * @throws TypeError when the data lacks what the version describes.
 */
export function render(
  payload: WebhookPayload,
  format: WebhookEndpoint["format"],
  contract: Contract | undefined,
  assumptions: WebhookPolicy,
): string {
  const forms: Readonly<Record<WebhookEndpoint["format"], PayloadForm>> = {
    raw: assumptions.envelope,
    discord: assumptions.discordPayload,
    slack: assumptions.slackPayload,
  };
  return JSON.stringify(forms[format]({ ...payload, data: cutData(payload, contract) }));
}

/** The fields of the data that the version describes; all of them where it does not describe the type. */
function cutData({ type, data, api_version }: WebhookPayload, contract: Contract | undefined): unknown {
  const schemas = contract?.webhookData ?? {};
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (!schema) return data;
  const checked = schema.safeParse(data);
  if (checked.success) return checked.data;
  const [first] = flattenIssues(checked.error.issues, data);
  const place = ["data", ...(first?.path ?? [])].join(".");
  throw new TypeError(
    `emit: ${place} is not what version ${api_version} describes for ${type}: ${first?.issue.message}.`,
  );
}

/** A value as it is after a journey as JSON. */
export function wireForm(data: unknown): unknown {
  const json = jsonOf(data);
  if (json === undefined) throw new TypeError(`emit: data must be JSON, not ${typeof data}.`);
  return JSON.parse(json);
}

function jsonOf(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch (cause) {
    const [why] = (cause as Error).message.split("\n");
    throw new TypeError(`emit: data must be JSON: ${why}`, { cause });
  }
}
