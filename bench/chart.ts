/** Draws the results of a benchmark as SVG. */
import type { Table } from "./harness.ts";

const WIDTH = 760;
const LABELS = 230;
const VALUES = 110;
const ROW = 20;
const COLORS = ["#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2"];

const STYLE = `text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600 } .bar { fill: #60a5fa }
.first { fill: #94a3b8 } .range, .axis { stroke: #475569 } .even { stroke: #94a3b8; stroke-dasharray: 4 4 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .range, .axis { stroke: #cbd5e1 } .back { fill: #0d1117 } }`;

/** Returns a chart: bars with the range over the rounds, and below them lines for tables of growth. */
export function chartOf(title: string, tables: readonly Table[]): string {
  const bars = tables.filter(({ exponent }) => exponent === undefined);
  const lines = tables.filter(({ exponent }) => exponent !== undefined);
  const parts: string[] = [];
  let top = 10;
  for (const table of bars) {
    parts.push(...barsOf(table, top));
    top += (table.rows.length + 2) * ROW;
  }
  if (lines.length > 0) {
    parts.push(...linesOf(lines, top));
    top += 330 + lines.length * ROW;
  }
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" role="img" aria-label="${escaped(title)}">`;
  return `${[open, `<style>${STYLE}</style>`, `<rect class="back" width="100%" height="100%" fill="#fff"/>`, ...parts, "</svg>"].join("\n")}\n`;
}

function barsOf({ title, unit, more, rows }: Table, top: number): string[] {
  const most = Math.max(...rows.map(({ value }) => value.max));
  const x = (value: number) => LABELS + (value / most) * (WIDTH - LABELS - VALUES);
  const better = more ? "more is better" : "less is better";
  return [
    text(10, top + 14, `${title}, ${unit}; ${better}`, "title"),
    ...rows.flatMap(({ name, value: { median, min, max } }, index) => {
      const y = top + (index + 1) * ROW;
      const width = Math.max(1, x(median) - LABELS);
      return [
        text(10, y + 14, name),
        `<rect class="bar${index === 0 ? " first" : ""}" x="${LABELS}" y="${y + 3}" width="${width.toFixed(1)}" height="${ROW - 6}"/>`,
        `<path class="range" d="M${x(min).toFixed(1)} ${y + ROW / 2}H${x(max).toFixed(1)}"/>`,
        text(x(max) + 6, y + 14, median.toLocaleString("en", { maximumSignificantDigits: 3 })),
      ];
    }),
  ];
}

/** Draws cost over size, both relative to the smallest size and with logarithmic axes: a linear cost is the dashed diagonal. */
function linesOf(tables: readonly Table[], top: number): string[] {
  const [left, bottom, width, height] = [50, top + 290, WIDTH - 70, 270];
  const x = (ratio: number) => left + (Math.log10(ratio) / 4) * width;
  const y = (ratio: number) => bottom - (Math.log10(Math.max(ratio, 0.5)) / 3) * height;
  const ticks = [1, 10, 100, 1000];
  return [
    text(10, top + 10, "cost over size, relative to the smallest size; the dashed line is linear", "title"),
    `<path class="axis" fill="none" d="M${left} ${y(1000)}V${bottom}H${x(10_000)}"/>`,
    ...ticks.flatMap((tick) => [text(x(tick) - 4, bottom + 16, `×${tick}`), text(8, y(tick) + 4, `×${tick}`)]),
    `<path class="even" d="M${x(1)} ${y(1)}L${x(1000)} ${y(1000)}"/>`,
    ...tables.flatMap(({ title, rows, exponent = 0 }, index) => {
      const [{ name, value }] = rows as [Table["rows"][number]];
      const points = rows.map((row) => [x(Number(row.name) / Number(name)), y(row.value.median / value.median)]);
      const color = COLORS[index % COLORS.length];
      const legend = bottom + 30 + index * ROW;
      return [
        `<polyline fill="none" stroke="${color}" stroke-width="2" points="${points.map((each) => each.map((at) => at?.toFixed(1)).join(",")).join(" ")}"/>`,
        `<path stroke="${color}" stroke-width="2" d="M${left} ${legend + 8}h24"/>`,
        text(left + 32, legend + 12, `${title}: size^${exponent.toFixed(2)}`),
      ];
    }),
  ];
}

function text(x: number, y: number, content: string, kind = ""): string {
  return `<text${kind && ` class="${kind}"`} x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
