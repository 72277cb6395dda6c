/** Matches names of headers whose values are secret, or part of a secret. */
const SECRET = /authorization|cookie|token|secret|password|passwd|credential|signature|api-?key/;

/** Maximum number of characters of names and values for each request. Node.js accepts at most 16 KiB of headers. */
const MAX_CHARACTERS = 16 * 1024;

/**
 * Copies the headers of a request by their lower-case names, without those that carry credentials. Leaves out headers
 * that exceed 16,384 characters in total.
 */
export function sentHeaders(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const kept: (readonly [string, string])[] = [];
  let room = MAX_CHARACTERS;
  for (const header of headers) {
    const size = header[0].length + header[1].length;
    if (size > room || SECRET.test(header[0])) continue;
    room -= size;
    kept.push(header);
  }
  return Object.freeze(Object.fromEntries(kept));
}
