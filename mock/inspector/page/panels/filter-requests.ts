import type { RecordedRequest } from "../../../journal/requests.ts";

const texts = new WeakMap<RecordedRequest, string>();

/**
 * Returns the requests that contain every word of the filter in any column. `4xx` matches each status from 400 to 499,
 * `failed` the requests without a response, `fault` those that a fault hit, `ignored` those with fields that the service does not know.
 */
export function filterRequests(requests: readonly RecordedRequest[], filter: string): readonly RecordedRequest[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return requests;
  return requests.filter((request) => {
    const text = textOf(request);
    return words.every((word) => text.includes(word));
  });
}

function textOf(request: RecordedRequest): string {
  const known = texts.get(request);
  if (known !== undefined) return known;
  const { method, path, query, operation, versionAsked, versionUsed, credential, status, fault, ignored } = request;
  const family = status === null ? "failed" : `${String(status)[0]}xx`;
  const fields = [method, `${path}?${query}`, operation, versionAsked, versionUsed, credential, status, family];
  const text = [...fields, fault && `fault ${fault}`, ...ignored.map((path) => `ignored ${path}`)]
    .join("\n")
    .toLowerCase();
  texts.set(request, text);
  return text;
}
