/** An address taken apart: the base address, the path below it, the query. */
export interface Address {
  readonly baseUrl: string;
  readonly path: string;
  readonly search: string;
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
