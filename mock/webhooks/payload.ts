import type { Contract } from "../../src/contract/index.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import { requireValid } from "../validation/body-schema.ts";

/** The content of a delivery, before it gets the format of its endpoint. */
interface Payload {
  readonly type: string;
  /** The time at which the event was created. */
  readonly timestamp: string;
  readonly api_version: string;
  /** The data as JSON, with the fields that the endpoint's version describes. */
  readonly data: unknown;
}

/** The payload of each format (specification, section 6). */
const FORMATS: Readonly<Record<StoredWebhookEndpoint["format"], (payload: Payload) => object>> = {
  /** G-ENVELOPE. */
  raw: ({ type, timestamp, api_version, data }) => ({ type, timestamp, api_version, data }),
  /** G-DISCORD: the type, and one embed with the data as JSON. */
  discord: ({ type, data }) => ({ content: type, embeds: [{ description: shortJson(data) }] }),
  /** G-SLACK: the type, and one section with the data as JSON. */
  slack: ({ type, data }) => ({
    text: type,
    blocks: [{ type: "section", text: { type: "plain_text", text: shortJson(data) } }],
  }),
};

/** A number of characters that Discord accepts in an embed, and Slack in a section. */
const MAX_CHARACTERS = 2_000;

function shortJson(data: unknown): string {
  const json = JSON.stringify(data);
  return json.length <= MAX_CHARACTERS ? json : `${json.slice(0, MAX_CHARACTERS - 1)}…`;
}

/**
 * Writes the body of a delivery, in the format of its endpoint and with the fields that the endpoint's version
 * describes.
 *
 * @param contract The contract of the version, which may be a removed one.
 * @throws TypeError if the data does not match the contract.
 */
export function renderPayload(
  payload: Payload,
  format: StoredWebhookEndpoint["format"],
  contract: Contract | undefined,
): string {
  return JSON.stringify(FORMATS[format]({ ...payload, data: pickData(payload, contract) }));
}

/** Returns the fields of the data that the version describes; all of them if it does not describe the type. */
function pickData({ type, data, api_version }: Payload, contract: Contract | undefined): unknown {
  const schemas = contract?.webhookData ?? {};
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  return schema ? requireValid(schema, data, `webhooks.emit: ${type} of version ${api_version}`, ["data"]) : data;
}
