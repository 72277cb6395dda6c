import type { ControlFuzz } from "./arbitraries/control-call.ts";

/** Returns the request of a fuzz case, with the ids of existing records. */
export function requestOf(
  { method, path, id, pick, query, body }: ControlFuzz,
  server: string,
  ids: readonly string[],
): Request {
  const chosen = id ?? ids[pick % Math.max(ids.length, 1)] ?? "none";
  const filled = path.replace("{id}", encodeURIComponent(chosen.toWellFormed()));
  const url = `${server}/__mock${filled}?${new URLSearchParams(query)}`;
  const carries = body !== undefined && !["GET", "HEAD"].includes(method);
  return new Request(url, { method, ...(carries && { body }) });
}
