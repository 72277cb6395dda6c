/** The maximum number of lines that a program can print. */
export const MAX_LINES = 500;

/** Starts a program. */
export interface StartMessage {
  readonly code: string;
  /** The value of `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Something that a program printed; `clear` removes the lines before it. */
export interface OutputLine {
  readonly level: "log" | "warn" | "error" | "clear";
  readonly text: string;
}

/** An error that ended a program. */
export interface ProgramError {
  readonly text: string;
  /** The line number in the program, starting at 1. */
  readonly line?: number | undefined;
}

/** A request or response that can be posted between the page and the worker. */
interface HttpMessage {
  readonly headers: [name: string, value: string][];
  readonly body: string;
}

/** The functions that the page provides to a program. */
export interface ProgramHost {
  /** Answers a request. Rejects if its host is not the mock's. */
  fetch(
    request: HttpMessage & { readonly method: string; readonly url: string },
  ): Promise<HttpMessage & { readonly status: number }>;
  print(line: OutputLine): void;
  /** Ends the program. */
  end(error?: ProgramError): void;
}
