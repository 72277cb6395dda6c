/** A name that says that its value is secret, or part of a secret. */
const SECRET = /authorization|cookie|token|secret|password|passwd|credential|signature|api-?key/;

/** How many characters of names and values are kept of one request: what Node.js accepts of one takes 16 KiB at most. */
const MAX_CHARACTERS = 16 * 1024;

/**
 * Copies the headers of a request by their lower-case names, without those that carry credentials. A header that no
 * longer fits into 16,384 characters is left out.
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
