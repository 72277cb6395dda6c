import type { Contract } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { reference, requireOptions, unknownName } from "../options/field-types.ts";
import { idOf } from "../state/ids.ts";
import type { EmittedEvent, StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { requireValid } from "../validation/body-schema.ts";
import { frozenJson } from "../validation/parse-body.ts";

/** Options for `emit`. */
export interface EmitOptions {
  /** The organization whose endpoints receive the event, or its id. Defaults to the default organization. */
  readonly organization?: string | { readonly id: string } | undefined;
}

/** The maximum number of characters of an event's data, so that the stored events need bounded memory. */
const MAX_DATA = 65_536;

/**
 * Creates and stores an event for each endpoint that receives the type.
 *
 * @throws TypeError if an argument is invalid. No event is created then.
 */
export function createEvents(
  state: State,
  assumptions: Assumptions,
  type: string,
  given: unknown,
  options: EmitOptions,
): readonly EmittedEvent[] {
  requireType(type, state);
  // A typo must not send the event to the default organization.
  requireOptions("webhooks.emit", options, { organization: reference });
  const organizationId = organizationOf(options.organization, state);
  const created_at = formatTimestamp(state.clock.now());
  const data = requireData(given);
  const events = subscribers(type, organizationId, state).map(({ id, api_version, format }) => {
    const payload = { type, timestamp: created_at, api_version, data };
    return Object.freeze<EmittedEvent>({
      id: state.ids.uuid(),
      endpoint_id: id,
      type,
      api_version,
      created_at,
      body: renderPayload(payload, format, contractOf(api_version, state)),
      status: "pending",
      delivered: false,
      attempts: 0,
      failures: 0,
      attempts_left: assumptions.retry.attempts,
      next_attempt_at: created_at,
    });
  });
  state.tables.webhookEvents.addAll(new Map(events.map((event) => [event.id, event])));
  return events;
}

/** Returns the endpoints of an organization that receive a type, which their version has (DEL-1, G-REMOVED, G-WHE-TYPES). */
function subscribers(type: string, organizationId: string, state: State): readonly StoredWebhookEndpoint[] {
  return state.tables.webhookEndpoints
    .list()
    .filter(
      (endpoint) =>
        endpoint.organization_id === organizationId &&
        endpoint.events.includes(type) &&
        endpoint.enabled &&
        contractOf(endpoint.api_version, state)?.webhookEventTypes.includes(type),
    );
}

function contractOf(version: string, { versions }: State) {
  return versions.contracts.get(version) ?? versions.removed.get(version);
}

function requireType(type: string, { versions }: State): void {
  if (type === undefined) throw new TypeError("webhooks.emit: the event type is missing.");
  const known = new Set([...versions.contracts.values()].flatMap(({ webhookEventTypes }) => webhookEventTypes));
  if (!known.has(type)) throw new TypeError(`webhooks.emit: ${unknownName("event type", type, [...known])}`);
}

function organizationOf(given: EmitOptions["organization"], { tables, defaults }: State): string {
  const id = idOf(given) ?? defaults.organization_id;
  if (!tables.organizations.has(id)) throw new TypeError(`webhooks.emit: unknown organization ${JSON.stringify(id)}.`);
  return id;
}

/** Copies a JSON value, with a limit on its length. */
function requireData(data: unknown): unknown {
  const copy = frozenJson(data, "webhooks.emit: `data`");
  const { length } = JSON.stringify(copy);
  if (length <= MAX_DATA) return copy;
  throw new TypeError(`webhooks.emit: \`data\` must have at most ${MAX_DATA} characters as JSON; received ${length}.`);
}

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
  discord: ({ type, data }) => ({ content: type, embeds: [{ description: JSON.stringify(data) }] }),
  /** G-SLACK: the type, and one section with the data as JSON. */
  slack: ({ type, data }) => ({
    text: type,
    blocks: [{ type: "section", text: { type: "plain_text", text: JSON.stringify(data) } }],
  }),
};

/**
 * Writes the body of a delivery, in the format of its endpoint and with the fields that the endpoint's version
 * describes.
 *
 * @param contract The contract of the version, which may be a removed one.
 * @throws TypeError if the data does not match the contract.
 */
function renderPayload(
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
