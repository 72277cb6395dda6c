/**
 * Waits for a part of MSW, which users install themselves.
 *
 * @throws Error that says what to install, if MSW is missing.
 */
export async function requireMsw<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error("This part of the mock requires MSW. Install it with `npm install --save-dev msw`.", { cause });
  }
}

/** Whether an error reports that MSW is missing. Node.js, Deno and Bun name the package in different messages. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /(cannot|could not) find|failed to resolve|not (be )?found|relative import path/i.test(error.message) &&
    /\bmsw\b/.test(error.message)
  );
}
