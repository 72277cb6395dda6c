import type { VNode } from "preact";
import { formatDateTime, formatInteger, formatInterval, pluralize } from "./format.ts";

interface BarChartProps {
  readonly bars: readonly number[];
  /** The start of the first bar, in milliseconds since 1970. */
  readonly from: number;
  /** The time that each bar covers, in seconds. */
  readonly step: number;
}

/** Keeps a few bars from filling the whole width. */
const MIN_BARS = 30;

/** Shows counts over time as a bar chart. */
export function BarChart({ bars: given, from: start, step }: BarChartProps): VNode {
  const missing = Math.max(0, MIN_BARS - given.length);
  const bars = [...Array<number>(missing).fill(0), ...given];
  const from = start - missing * step * 1000;
  const at = (index: number) => formatDateTime(from + index * step * 1000);
  const highest = Math.max(...bars);
  const top = roundUp(highest);
  const label = `Bar chart of events from ${at(0)} to ${at(bars.length)}, one bar per ${formatInterval(step)}. Highest bar: ${pluralize(highest, "event")}.`;
  return (
    <div class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>{formatInteger(top)}</span>
        <span>{top > 1 ? formatInteger(top / 2) : ""}</span>
        <span>0</span>
      </div>
      <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map((count, index) => {
          const height = heightOf(count, top);
          // The tooltip covers the whole column, so that low bars are easy to hover.
          return (
            height > 0 && (
              <g key={index} class="bar">
                <rect x={index} y={0} width={1} height={100} class="bar-column" />
                <rect x={index + 0.1} y={100 - height} width={0.8} height={height} />
                <title>{`${at(index)}: ${pluralize(count, "event")}`}</title>
              </g>
            )
          );
        })}
      </svg>
      <div class="chart-times" aria-hidden="true">
        <span>{axisLabel(at(0), "", step)}</span>
        <span>{axisLabel(at(bars.length), at(0), step)}</span>
      </div>
    </div>
  );
}

/** Returns a time label for an axis. It has seconds only if the steps do, and a date only if an earlier label lacks it. */
function axisLabel(at: string, earlier: string, step: number): string {
  const [date = "", time = ""] = at.split(" ");
  const shortened = step < 60 ? time : time.slice(0, 5);
  return earlier.startsWith(date) ? shortened : `${date} ${shortened}`;
}

/** Returns the height of a bar in percent, at least 2 so that every nonzero count is visible. */
function heightOf(count: number, top: number): number {
  return count === 0 ? 0 : Math.max(2, (count / top) * 100);
}

/** Rounds up to a number that is round even when halved: 37 becomes 40, 123 becomes 200. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 4, 6, 8].map((times) => times * unit).find((round) => round >= value) ?? 10 * unit;
}
