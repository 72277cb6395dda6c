import type { RecordedRequest } from "../../../journal/journal.ts";

const texts = new WeakMap<RecordedRequest, string>();

/** The requests that have every word of a filter somewhere in what the list shows; `4xx` is any status from 400 to 499. */
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
  const { method, path, query, operation, versionAsked, versionUsed, credential, status, fault } = request;
  const family = status === null ? "lost" : `${String(status)[0]}xx`;
  const fields = [method, `${path}?${query}`, operation, versionAsked, versionUsed, credential, status, family];
  const text = [...fields, fault && `fault ${fault}`].join("\n").toLowerCase();
  texts.set(request, text);
  return text;
}
