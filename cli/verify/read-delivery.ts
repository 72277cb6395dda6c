import { UsageError } from "../../terminal/usage-error.ts";
import type { PastedDelivery } from "./pasted-delivery.ts";
import { readHttpRequest } from "./read-http-request.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a delivery from an HTTP request (headers, an empty line and the body), or from a JSON object with `headers` and
 * `body`, such as an entry of the mock's deliveries.
 *
 * @throws UsageError when the input is neither.
 */
export function readDelivery(input: Buffer): PastedDelivery {
  const text = input.toString("utf8").trim();
  if (text === "") throw new UsageError(`the delivery is empty; ${EXPECTED}.`);
  return /^[[{]/.test(text) ? readJsonDelivery(text) : readHttpRequest(input);
}

const EXPECTED = "expected an HTTP request (headers, an empty line, the body), or JSON with headers and body";

function readJsonDelivery(text: string): PastedDelivery {
  const { headers, body, at } = objectIn(parse(text));
  if (!isObject(headers) || body === undefined) {
    throw new UsageError(
      `the JSON must have "headers" (an object) and "body"; ${EXPECTED}. The body alone cannot be verified.`,
    );
  }
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(" ") : value,
  ]);
  const invalid = entries.find(([, value]) => typeof value !== "string");
  if (invalid !== undefined) throw new UsageError(`the header "${invalid[0]}" in the JSON must be a string.`);
  return { headers: Object.fromEntries(entries), body, ...timeOf(at) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the delivery starts like JSON but is not JSON: ${(error as Error).message}.`);
  }
}

/** Returns the delivery; an array must contain exactly one. */
function objectIn(value: unknown): Fields {
  const list = Array.isArray(value) ? value : [value];
  if (list.length !== 1) throw new UsageError(`the JSON is an array of ${list.length} deliveries; pass one of them.`);
  return isObject(list[0]) ? list[0] : {};
}

function timeOf(at: unknown): Pick<PastedDelivery, "receivedAt"> {
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? {} : { receivedAt: time };
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
