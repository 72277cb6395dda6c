import type { VNode } from "preact";
import { timeOfDay } from "./format.ts";

/** A time of day; where there is little room, without its fraction of a second. */
export function Clock({ at }: { readonly at: string }): VNode {
  const time = timeOfDay(at);
  return (
    <time dateTime={at} title={at}>
      {time.slice(0, 8)}
      <span class="fraction">{time.slice(8)}</span>
    </time>
  );
}
