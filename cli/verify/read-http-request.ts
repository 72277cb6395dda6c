import { UsageError } from "../../terminal/usage-error.ts";
import type { PastedDelivery } from "./pasted-delivery.ts";

const REQUEST_LINE = /^[A-Z]+ \S+( HTTP\/[\d.]+)?$/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/;

/**
 * Reads an HTTP request: an optional request line, headers, an empty line and the body, with LF or CRLF.
 *
 * @throws UsageError when a line before the empty line is not a header, or the empty line is missing.
 */
export function readHttpRequest(input: Buffer): PastedDelivery {
  const { head, body } = split(input);
  const lines = head.replace(/^\uFEFF/, "").split(/\r?\n/);
  const start = REQUEST_LINE.test(lines[0] ?? "") ? 1 : 0;
  const headers: Record<string, string> = {};
  for (const [index, line] of lines.entries()) if (index >= start) addHeader(headers, line, index + 1);
  return { headers, body: announcedPart(body, headers["content-length"]) };
}

function split(input: Buffer): { readonly head: string; readonly body: Buffer } {
  const [ending] = /\r?\n\r?\n/.exec(input.toString("latin1")) ?? [];
  if (ending === undefined) {
    throw new UsageError(
      "the request has no empty line between its headers and its body. Paste it as it was received.",
    );
  }
  const at = input.indexOf(ending, 0, "latin1");
  return { head: input.subarray(0, at).toString("utf8"), body: input.subarray(at + ending.length) };
}

function addHeader(headers: Record<string, string>, line: string, number: number): void {
  const [, name, value] = HEADER.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`line ${number} of the request is not a header; expected "name: value".`);
  const key = name.toLowerCase();
  headers[key] = headers[key] === undefined ? value.trim() : `${headers[key]} ${value.trim()}`;
}

/** Removes what follows the body, for example the line break that an editor adds. */
function announcedPart(body: Buffer, contentLength: string | undefined): Buffer {
  const length = /^\d+$/.test(contentLength ?? "") ? Number(contentLength) : body.length;
  return body.subarray(0, length);
}
