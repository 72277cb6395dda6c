import { createHash } from "node:crypto";

/** Whether a value is an event without `external_id`. */
export function lacksExternalId(value: unknown): value is object {
  const isEvent = typeof value === "object" && value !== null && !Array.isArray(value);
  return isEvent && !Object.hasOwn(value, "external_id");
}

/**
 * Returns the `external_id` of a line that has none: a UUID of version 8 (RFC 9562) from the ingestion, the number of the
 * line and its text. A line that is sent again gets the same one, so that the service counts it as a duplicate.
 */
export function externalIdOf(ingestion: string, line: number, text: string): string {
  const hex = createHash("sha256").update(`${ingestion}\n${line}\n${text}`).digest("hex");
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
