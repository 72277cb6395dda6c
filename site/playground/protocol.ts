import type { RecordedRequest } from "../../mock/journal/requests.ts";
import type { Import } from "./find-imports.ts";

/** The maximum number of lines that a program can print. */
export const MAX_LINES = 500;
/** The maximum length of a line, in characters. */
export const MAX_LINE_LENGTH = 10_000;
/** The maximum number of requests that a program can send. */
export const MAX_REQUESTS = 1_000;
/** The maximum number of requests that the page shows of a program. */
export const MAX_SHOWN_REQUESTS = 50;

/** Starts a program. */
export interface StartMessage {
  readonly code: string;
  readonly imports: readonly Import[];
  /** The value of `process.env`. */
  readonly env: Readonly<Record<string, string>>;
}

/** A line that a program printed. */
export interface OutputLine {
  readonly level: "log" | "warn" | "error";
  readonly text: string;
}

/** An error that ended a program. */
export interface ProgramError {
  readonly name: string;
  readonly message: string;
  /** The line of the program, from 1. */
  readonly line?: number | undefined;
}

/** A request or a response without its stream. */
export interface HttpParts {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ArrayBuffer;
}

/** What the worker tells the page. */
export type WorkerMessage =
  | { readonly kind: "line"; readonly line: OutputLine }
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly parts: HttpParts;
    }
  | { readonly kind: "end"; readonly error?: ProgramError; readonly requests: readonly RecordedRequest[] };

/** The response of the mock in the page, or why there is none. */
export interface ResponseMessage {
  readonly id: number;
  readonly status: number;
  readonly parts?: HttpParts;
  readonly error?: string;
}
