/** The content of a delivery, before it gets the format of its endpoint. */
export interface WebhookPayload {
  readonly type: string;
  /** The time at which the event was created. */
  readonly timestamp: string;
  readonly api_version: string;
  /** The data as JSON, with the fields that the endpoint's version describes. */
  readonly data: unknown;
}

/** Converts a payload to the format of an endpoint: an object that is sent as JSON. */
export type PayloadForm = (payload: WebhookPayload) => Readonly<Record<string, unknown>>;

/** Returns the payload of the format `raw` (specification, section 6; G-ENVELOPE). */
export const envelope: PayloadForm = ({ type, timestamp, api_version, data }) => ({
  type,
  timestamp,
  api_version,
  data,
});
