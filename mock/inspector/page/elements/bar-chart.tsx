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
export function BarChart({ bars, from, step }: BarChartProps): VNode {
  const at = (index: number) => formatDateTime(from + index * step * 1000);
  const highest = Math.max(...bars);
  // Fewer bars stand at the right end, which is the newest time.
  const missing = Math.max(0, MIN_BARS - bars.length);
  const label = `Bar chart of events from ${at(0)} to ${at(bars.length)}, one bar per ${formatInterval(step)}. Highest bar: ${pluralize(highest, "event")}.`;
  return (
    <div class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>{formatInteger(highest)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`${-missing} 0 ${missing + bars.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((count, index) => {
          // Every count is visible, and the tooltip covers the whole column, so that low bars are easy to hover.
          const height = Math.max(2, (count / highest) * 100);
          return (
            count > 0 && (
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
        <span>{at(-missing)}</span>
        <span>{at(bars.length)}</span>
      </div>
    </div>
  );
}
