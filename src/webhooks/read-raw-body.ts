import { bodyNotRaw, bodyTooLarge, bodyUnreadable } from "./body-errors.ts";
import { bytesOf, isArrayBuffer, isStream, readStream } from "./read-stream.ts";

/**
 * Reads the body of a delivery as text.
 *
 * @throws {@link WebhookVerificationError} if the raw body is missing, too long, or not UTF-8.
 */
export async function readRawBody(body: unknown, maxBodyBytes: number): Promise<string> {
  if (body === null) return "";
  if (typeof body === "string") return checkText(body, maxBodyBytes);
  const bytes = isStream(body) ? await readStream(body, maxBodyBytes) : body;
  if (!ArrayBuffer.isView(bytes) && !isArrayBuffer(bytes)) throw bodyNotRaw(body);
  if (bytes.byteLength > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  return decode(bytes);
}

/** Checks a string. A lone surrogate cannot be written in UTF-8, so a sender cannot have sent it. */
function checkText(text: string, maxBodyBytes: number): string {
  const mayBeTooLong = text.length * 3 > maxBodyBytes;
  if (mayBeTooLong && new TextEncoder().encode(text).length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  if ((text as { isWellFormed?(): boolean }).isWellFormed?.() === false) throw bodyUnreadable("is not UTF-8");
  return text;
}

function decode(bytes: ArrayBufferView | ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf(bytes));
  } catch (cause) {
    throw bodyUnreadable("is not UTF-8", cause);
  }
}
