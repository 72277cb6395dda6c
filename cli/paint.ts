import { styleText } from "node:util";

/** Returns text in a style if stdout is a terminal with colors. `NO_COLOR` disables it. */
export function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
