const numbers = new Intl.NumberFormat("en");

/** Formats a number with thousands separators. */
export function formatInteger(value: number): string {
  return numbers.format(value);
}

/** Formats a duration in milliseconds with about three significant digits. */
export function formatDuration(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  if (value >= 100) return `${value.toFixed(0)} ms`;
  return `${value.toFixed(value >= 10 ? 1 : 2)} ms`;
}

/** Formats a timestamp as local time of day with milliseconds. */
export function formatTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Formats a timestamp as local date and time. */
export function formatDateTime(timestamp: string | number): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return String(timestamp);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${day.join("-")} ${date.toTimeString().slice(0, 8)}`;
}

/** Formats a number of seconds in its largest unit: 3,600 is `1 hour`. */
export function formatInterval(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) as readonly [string, number];
  const count = seconds / size;
  return count === 1 ? `1 ${unit}` : `${formatInteger(count)} ${unit}s`;
}

const UNITS = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a count with its noun: `1 event`, `2 events`. */
export function pluralize(count: number, word: string): string {
  return `${formatInteger(count)} ${word}${count === 1 ? "" : "s"}`;
}
