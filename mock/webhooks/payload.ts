import { flattenIssues } from "../../src/contract/flatten-issues.ts";
import type { Contract } from "../../src/contract/index.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import { validate } from "../validation/validate.ts";

/** The content of a delivery, before it gets the format of its endpoint. */
interface Payload {
  readonly type: string;
  /** The time at which the event was created. */
  readonly timestamp: string;
  readonly api_version: string;
  /** The data as JSON, with the fields that the endpoint's version describes. */
  readonly data: unknown;
}

/** Limits for an embed of Discord: 25 fields of these lengths fit in its 6,000 characters, with title and description. */
const DISCORD = { fields: 25, name: 64, value: 150 };

/** Slack's limits for a section. */
const SLACK = { fields: 10, text: 2_000 };

/** The payload of each format (specification, section 6). */
const FORMATS: Readonly<Record<StoredWebhookEndpoint["format"], (payload: Payload) => object>> = {
  /** G-ENVELOPE. */
  raw: ({ type, timestamp, api_version, data }) => ({ type, timestamp, api_version, data }),
  /** G-DISCORD: the type, and one embed with the fields of the data. */
  discord: (payload) => ({
    content: payload.type,
    embeds: [
      {
        title: titleOf(payload),
        description: `${payload.timestamp}, version ${payload.api_version}`,
        fields: factsOf(payload)
          .slice(0, DISCORD.fields)
          .map(([name, text]) => ({
            name: shorten(name, DISCORD.name),
            value: shorten(text, DISCORD.value),
            inline: true,
          })),
      },
    ],
  }),
  /** G-SLACK: the type, and one section with the fields of the data. */
  slack: (payload) => {
    const facts = factsOf(payload).slice(0, SLACK.fields);
    const fields = facts.map(([name, text]) => mrkdwn(`*${escapeMarkup(name)}*\n${escapeMarkup(text)}`));
    const section = { type: "section", text: mrkdwn(`*${titleOf(payload)}*`) };
    return { text: payload.type, blocks: [fields.length > 0 ? { ...section, fields } : section] };
  },
};

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
  if (!schema) return data;
  const checked = validate(schema, data);
  if (!checked.issues) return checked.value;
  const [first] = flattenIssues(checked.issues, data);
  const path = ["data", ...(first?.path ?? [])].join(".");
  throw new TypeError(
    `webhooks.emit: \`${path}\` does not match ${type} of version ${api_version}: ${first?.issue.message}.`,
  );
}

function mrkdwn(text: string): object {
  return { type: "mrkdwn", text: shorten(text, SLACK.text) };
}

/** Escapes the three characters that Slack reads as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Returns the fields of a payload's data that are readable as text: those that are not objects or arrays. */
function factsOf({ data }: Payload): readonly (readonly [name: string, text: string])[] {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return [];
  return Object.entries(data)
    .filter(([name, value]) => name !== "" && (typeof value !== "object" || value === null))
    .map(([name, value]) => [name, value === "" ? '""' : String(value)]);
}

/** Converts the type of an event to a title: `order.paid` becomes `Order paid`. */
function titleOf({ type }: Payload): string {
  const words = type.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Cuts a string to a number of characters, with an ellipsis in place of the rest. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
