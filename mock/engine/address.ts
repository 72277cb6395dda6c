/** An address taken apart: the base address, the path below it, the query. */
export interface Address {
  readonly baseUrl: string;
  readonly path: string;
  readonly search: string;
}

/** A base address in the form in which requests carry it: what a URL parser makes of it, without a slash at its end. */
export function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url) throw new TypeError(`createMock: a base address must be absolute: "${text}".`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Takes an address apart. A base address with a path of its own counts only where it is a known one. */
export function addressOf(url: string, prefixes: readonly string[]): Address {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?");
  const pathEnd = question === -1 || question > end ? end : question;
  const prefix = prefixes.find((known) => url.startsWith(known) && url[known.length] === "/");
  const pathStart = prefix?.length ?? url.indexOf("/", url.indexOf("://") + 3);
  return {
    baseUrl: url.slice(0, pathStart),
    path: url.slice(pathStart, pathEnd),
    search: url.slice(pathEnd + 1, end),
  };
}
