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
 */
export function sentHeaders(headers: Iterable<readonly [string, string]>): SentHeaders {
  const kept: string[] = [];
  let room = MAX_CHARACTERS;
  for (const header of headers) {
    const size = header[0].length + header[1].length;
    if (size > room || isSecret(header[0])) continue;
    room -= size;
    kept.push(header[0], header[1]);
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
