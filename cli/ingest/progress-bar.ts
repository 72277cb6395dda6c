import { styleText } from "node:util";
import type { IngestionState } from "./ingestion.ts";

/** The time between two updates of the bar, in milliseconds. */
const UPDATE_EVERY = 100;
const WIDTH = 24;

/** The part of a stream that the bar needs. */
export type BarStream = Pick<NodeJS.WriteStream, "isTTY" | "write">;

/** A line on a terminal that shows the progress of an ingestion. Without a terminal, it shows nothing. */
export class ProgressBar {
  readonly #stream: BarStream;
  readonly #started: number = performance.now();
  #shown = Number.NEGATIVE_INFINITY;
  #isShown = false;

  /** @param stream The terminal; by default stderr, because stdout is for the result. */
  constructor(stream: BarStream = process.stderr) {
    this.#stream = stream;
  }

  /** Shows a state. `fraction` is the part of the file that was read, undefined for stdin. */
  update(state: IngestionState, fraction: number | undefined): void {
    const now = performance.now();
    if (!this.#stream.isTTY || now - this.#shown < UPDATE_EVERY) return;
    this.#shown = now;
    this.#isShown = true;
    const bar = fraction === undefined ? "" : `${this.#bar(fraction)} ${Math.floor(fraction * 100)}%  `;
    this.#stream.write(`\r\u001b[K${bar}${formatState(state, now - this.#started)}`);
  }

  /** Removes the bar, so that another line can be printed. */
  clear(): void {
    if (this.#isShown) this.#stream.write("\r\u001b[K");
    this.#isShown = false;
    this.#shown = Number.NEGATIVE_INFINITY;
  }

  #bar(fraction: number): string {
    const done = Math.round(fraction * WIDTH);
    return styleText("green", "█".repeat(done), { stream: process.stderr }) + "░".repeat(WIDTH - done);
  }
}

function formatState({ inserted, duplicates, rejected }: IngestionState, duration: number): string {
  const perSecond = Math.round(((inserted + duplicates) * 1000) / Math.max(duration, 1));
  const numbers = { stored: inserted + duplicates, "/s": perSecond, rejected };
  const [stored, speed, failed] = Object.values(numbers).map((number) => number.toLocaleString("en"));
  return `${stored} events, ${speed}/s${rejected > 0 ? `, ${failed} rejected` : ""}`;
}
