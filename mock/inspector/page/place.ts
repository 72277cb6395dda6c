import { useLayoutEffect, useState } from "preact/hooks";

/** What the page shows. All of it is in the hash of the URL, so that it survives a reload and can be sent to somebody. */
export interface Place {
  /** The id of a tab. */
  readonly tab: string;
  /** The id of the open row. */
  readonly id?: string | undefined;
  /** The words in the filter. */
  readonly filter: string;
}

/** Returns the hash of a place: `#requests/12?post%204xx`. */
export function hashOf({ tab, id, filter }: Place): string {
  const row = id === undefined ? "" : `/${encodeURIComponent(id)}`;
  return `#${tab}${row}${filter === "" ? "" : `?${encodeURIComponent(filter)}`}`;
}

function placeOf(hash: string): Place {
  const [path = "", filter = ""] = hash.slice(1).split("?");
  const [tab = "", id] = path.split("/");
  return { tab, id: id && decode(id), filter: decode(filter) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the place in the URL, and follows it. */
export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return placeOf(hash);
}

/** Goes to a place without an entry in the history of the browser. */
export function replacePlace(place: Place): void {
  location.replace(hashOf(place));
}
