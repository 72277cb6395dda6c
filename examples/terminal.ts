import { styleText } from "node:util";
import type { OnProgress } from "./tour.ts";

/** Writes in bold, where the output is a terminal that wants colours (NO_COLOR says that it does not). */
export const bold = (text: string): string => styleText("bold", text);

/** Writes faintly. */
export const dim = (text: string): string => styleText("dim", text);

/** Writes what went well. */
export const green = (text: string): string => styleText("green", text);

/** Writes what went wrong. */
export const red = (text: string): string => styleText("red", text);

/** Writes a number with its thousands apart. */
export const count = (number: number): string => number.toLocaleString("en");

/** A line on a terminal that tells how far things are. Elsewhere it says nothing. */
export interface ProgressLine {
  readonly update: OnProgress;
  /** Takes the line away. */
  clear(): void;
}

/** Opens a progress line on the standard error, which leaves the standard output to the results. */
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
