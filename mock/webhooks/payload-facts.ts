import type { WebhookPayload } from "./webhook-payload.ts";

/** Returns the fields of a payload's data that are readable as text: those that are not objects or arrays. */
export function factsOf({ data }: WebhookPayload): readonly (readonly [name: string, text: string])[] {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return [];
  return Object.entries(data)
    .filter(([name, value]) => name !== "" && (typeof value !== "object" || value === null))
    .map(([name, value]) => [name, value === "" ? '""' : String(value)]);
}

/** Converts the type of an event to a title: `order.paid` becomes `Order paid`. */
export function titleOf({ type }: WebhookPayload): string {
  const words = type.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Cuts a string to a number of characters, with an ellipsis in place of the rest. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
