/** What is wrong with how the command was called, in one line. It exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
