const NOT_ASCII = /[^\0-\x7f]/;
const utf8 = new TextEncoder();

/** Returns the size of a string in UTF-8, in bytes. */
export function byteLength(text: string): number {
  return NOT_ASCII.test(text) ? utf8.encode(text).length : text.length;
}
