import type { IncomingRequest } from "../http/request.ts";

type Headers = IncomingRequest["headers"];

/** Matches names of headers whose values are secret, or part of a secret. */
const SECRET = /authorization|cookie|token|secret|password|passwd|credential|signature|api-?key/;

/** Maximum number of characters of names and values for each request. Node.js accepts at most 16 KiB of headers. */
const MAX_CHARACTERS = 16 * 1024;

/** Whether the headers of these names are secret. Most requests send the same few names. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1000;

/** The names and values of headers, in turn: one array, because the journal keeps them for a thousand requests. */
export type SentHeaders = readonly string[];

/**
 * Copies the headers of a request, without those that carry credentials. Leaves out headers that exceed 16,384
 * characters in total.
 *
 * @param previous The headers of the request before. They are returned if they are equal, because most clients send
 * the same headers with every request.
 */
export function sentHeaders(headers: Headers, previous: SentHeaders): SentHeaders {
  return areEqual(headers, previous) ? previous : copyOf(headers);
}

function areEqual(headers: Headers, previous: SentHeaders): boolean {
  let at = 0;
  for (const name of headers.keys()) {
    if (isSecret(name)) continue;
    if (previous[at] !== name || previous[at + 1] !== headers.get(name)) return false;
    at += 2;
  }
  return at === previous.length;
}

function copyOf(headers: Headers): SentHeaders {
  const kept: string[] = [];
  let room = MAX_CHARACTERS;
  for (const name of headers.keys()) {
    const value = isSecret(name) ? null : headers.get(name);
    if (value === null || name.length + value.length > room) continue;
    room -= name.length + value.length;
    kept.push(name, value);
  }
  return kept;
}

/** Returns the headers by their names. */
export function headersByName(sent: SentHeaders): Readonly<Record<string, string>> {
  const pairs = sent.flatMap((name, at) => (at % 2 === 0 ? [[name, sent[at + 1] as string] as const] : []));
  return Object.freeze(Object.fromEntries(pairs));
}

function isSecret(name: string): boolean {
  const noted = known.get(name);
  if (noted !== undefined) return noted;
  const secret = SECRET.test(name);
  if (known.size < MAX_KNOWN) known.set(name, secret);
  return secret;
}
