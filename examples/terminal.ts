import { styleText } from "node:util";

/** Formats as bold if the output is a terminal with colors. `NO_COLOR` disables it. */
export const bold = (text: string): string => styleText("bold", text);

/** Formats as dimmed. */
export const dim = (text: string): string => styleText("dim", text);

/** Formats a success. */
export const green = (text: string): string => styleText("green", text);

/** Formats a failure. */
export const red = (text: string): string => styleText("red", text);
