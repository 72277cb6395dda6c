import { styleText } from "node:util";
import type { OnProgress } from "./tour.ts";

/** Formats as bold if the output is a terminal with colors. `NO_COLOR` disables it. */
export const bold = (text: string): string => styleText("bold", text);

/** Formats as dimmed. */
export const dim = (text: string): string => styleText("dim", text);

/** Formats a success. */
export const green = (text: string): string => styleText("green", text);

/** Formats a failure. */
export const red = (text: string): string => styleText("red", text);

/** Formats a number with thousands separators. */
export const count = (number: number): string => number.toLocaleString("en");

/** A progress line on a terminal. It prints nothing if the output is not a terminal. */
export interface ProgressLine {
  readonly update: OnProgress;
  /** Removes the line. */
  clear(): void;
}

/** Creates a progress line on stderr, because stdout is for the results. */
export function progressLine(stream: Pick<NodeJS.WriteStream, "isTTY" | "write"> = process.stderr): ProgressLine {
  let shown = 0;
  return {
    update: ({ inserted, duplicates, rejected }) => {
      if (!stream.isTTY || Date.now() - shown < 50) return;
      shown = Date.now();
      stream.write(`\rIngesting: ${count(inserted + duplicates + rejected.length)} lines`);
    },
    clear: () => {
      if (shown > 0) stream.write("\r\u001b[K");
    },
  };
}
