/** What a delivery says, before it gets the form that the endpoint wants. */
export interface WebhookPayload {
  readonly type: string;
  /** When the event was created. */
  readonly timestamp: string;
  readonly api_version: string;
  /** What was emitted, as JSON, with the fields that the endpoint's version describes. */
  readonly data: unknown;
}

/** Gives a payload its form: an object that is sent as JSON. */
export type PayloadForm = (payload: WebhookPayload) => Readonly<Record<string, unknown>>;

/** The raw payload (specification, section 6; G-ENVELOPE). */
export const envelope: PayloadForm = ({ type, timestamp, api_version, data }) => ({
  type,
  timestamp,
  api_version,
  data,
});

/** The facts of a payload that a person can read: the fields of its data that are no objects, as text. */
export function factsOf({ data }: WebhookPayload): readonly (readonly [name: string, text: string])[] {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return [];
  return Object.entries(data)
    .filter(([name, value]) => name !== "" && (typeof value !== "object" || value === null))
    .map(([name, value]) => [name, value === "" ? '""' : String(value)]);
}

/** The type of an event as a title: `order.paid` becomes `Order paid`. */
export function titleOf({ type }: WebhookPayload): string {
  const words = type.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Cuts a text to so many characters, with an ellipsis where something is missing. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
