/** The part of a request that the service reads. A `Request` has it, and so does a request from a socket. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: {
    get(name: string): string | null;
    /** Returns the lower-case name of every header. */
    keys(): Iterable<string>;
  };
  /** Null for a request without a body. */
  readonly body: unknown;
  /** Whether `Content-Length` was sent; undefined in the process, where requests do not have the header. */
  readonly hasLength?: boolean | undefined;
  readonly signal: AbortSignal;
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

/** The parts of a URL. */
export interface Address {
  readonly baseUrl: string;
  /** The path below the base URL. */
  readonly path: string;
  /** The query string, without its question mark. */
  readonly search: string;
}

/**
 * Splits a URL into its parts.
 *
 * @param prefixes The paths of the base URLs that have one, longest first. The host does not matter.
 */
export function splitAddress(url: string, prefixes: readonly string[]): Address {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?");
  const pathEnd = question === -1 || question > end ? end : question;
  const originEnd = url.indexOf("/", url.indexOf("://") + 3);
  const prefix = prefixes.find((known) => url.startsWith(`${known}/`, originEnd)) ?? "";
  const pathStart = originEnd + prefix.length;
  return {
    baseUrl: url.slice(0, pathStart),
    path: url.slice(pathStart, pathEnd),
    search: url.slice(pathEnd + 1, end),
  };
}

/** Decodes a segment of a path. One that is not valid stays as it is. */
export function decodeSegment(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
