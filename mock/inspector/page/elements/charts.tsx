import type { VNode } from "preact";
import { formatDateTime, formatInteger, formatInterval, pluralize } from "./format.ts";

interface ChartProps {
  readonly bars: readonly number[];
  /** Where the first bar begins, in milliseconds since 1970. */
  readonly from: number;
  /** How much time each bar stands for, in seconds. */
  readonly step: number;
}

/** So that a few bars do not fill the whole width. */
const LEAST_BARS = 30;

/** A bar chart over time. */
export function BarChart({ bars: given, from: start, step }: ChartProps): VNode {
  const missing = Math.max(0, LEAST_BARS - given.length);
  const bars = [...Array<number>(missing).fill(0), ...given];
  const from = start - missing * step * 1000;
  const at = (index: number) => formatDateTime(from + index * step * 1000);
  const most = Math.max(...bars);
  const top = roundedUp(most);
  const label = `Bar chart from ${at(0)} to ${at(bars.length)}, one bar for each ${formatInterval(step)}; the highest has ${pluralize(most, "event")}.`;
  return (
    <div class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>{formatInteger(top)}</span>
        <span>{top > 1 ? formatInteger(top / 2) : ""}</span>
        <span>0</span>
      </div>
      <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map((count, index) => (
          <Bar
            key={index}
            index={index}
            height={heightOf(count, top)}
            title={`${at(index)}: ${pluralize(count, "event")}`}
          />
        ))}
      </svg>
      <div class="chart-times" aria-hidden="true">
        <span>{at(0)}</span>
        <span>{at(bars.length / 2)}</span>
        <span>{at(bars.length)}</span>
      </div>
    </div>
  );
}

/** A bar chart of the size of a word. */
export function Sparkline({ bars }: Pick<ChartProps, "bars">): VNode {
  const most = Math.max(...bars);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${Math.max(bars.length, LEAST_BARS)} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map((count, index) => (
        <Bar key={index} index={index + Math.max(0, LEAST_BARS - bars.length)} height={heightOf(count, most)} />
      ))}
    </svg>
  );
}

interface BarProps {
  readonly index: number;
  /** In percent. */
  readonly height: number;
  readonly title?: string;
}

/** The whole column answers to the pointer, however low the bar is. */
function Bar({ index, height, title }: BarProps): VNode | null {
  if (height === 0) return null;
  return (
    <g class="bar">
      {title && <rect x={index} y={0} width={1} height={100} class="bar-column" />}
      <rect x={index + 0.1} y={100 - height} width={0.8} height={height} />
      {title && <title>{title}</title>}
    </g>
  );
}

/** A bar that stands for anything can be seen. */
function heightOf(count: number, top: number): number {
  return count === 0 ? 0 : Math.max(2, (count / top) * 100);
}

/** The next round number whose half is round as well: 37 becomes 40, 123 becomes 200. */
function roundedUp(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 4, 6, 8].map((times) => times * unit).find((round) => round >= most) ?? 10 * unit;
}
