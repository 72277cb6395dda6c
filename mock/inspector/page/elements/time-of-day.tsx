import type { VNode } from "preact";
import { formatTime } from "./format.ts";

/** Shows a time of day, without milliseconds in a narrow column. */
export function TimeOfDay({ at }: { readonly at: string }): VNode {
  const time = formatTime(at);
  return (
    <time dateTime={at} title={at}>
      {time.slice(0, 8)}
      <span class="fraction">{time.slice(8)}</span>
    </time>
  );
}
