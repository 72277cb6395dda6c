/** The names of the statuses that a service, or a proxy before it, is likely to respond with. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

/**
 * Returns the standard name of an error status; undefined for an uncommon one. The name in a response is not used: HTTP/2
 * has none, and a server may put anything there.
 */
export function statusText(status: number): string | undefined {
  return Object.hasOwn(STATUS_TEXTS, status) ? STATUS_TEXTS[status] : undefined;
}
