/** Returns the error to throw when MSW, which users install themselves, cannot be loaded. It says what to install. */
export function explainMissingMsw(cause: unknown): unknown {
  if (isMissing(cause)) {
    const message =
      "This entry point requires MSW. Install it with `npm install --save-dev msw`, or use @billing-service/sdk/mock, " +
      "which does not need it.";
    return new Error(message, { cause });
  }
  if (isOnlyForImport(cause)) {
    const message =
      "This runtime cannot load MSW with `require`. Import @billing-service/sdk/mock/node in an ES module, or use " +
      "@billing-service/sdk/mock, which does not need MSW.";
    return new Error(message, { cause });
  }
  return cause;
}

/** Whether an error reports that MSW is missing. Node.js, Deno and Bun name the package in different messages. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /(cannot|could not) find|failed to resolve|not (be )?found|relative import path/i.test(error.message) &&
    /\bmsw\b/.test(error.message)
  );
}

/** Whether an error reports that `require` does not load ES modules: in Jest, and in Node.js if a flag disables it. */
function isOnlyForImport(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "ERR_REQUIRE_ESM";
}
