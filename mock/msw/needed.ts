/**
 * Waits for a part of MSW, which is the user's to install.
 *
 * @throws Error that says what to install, when MSW is not there.
 */
export async function needed<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error("This part of the mock needs MSW: install it with `npm install --save-dev msw`.", { cause });
  }
}

/** Node, Deno and Bun name the package that they miss; a bundler has put it in, or has failed before. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /(cannot|could not) find|failed to resolve|not (be )?found|relative import path/i.test(error.message) &&
    /\bmsw\b/.test(error.message)
  );
}
