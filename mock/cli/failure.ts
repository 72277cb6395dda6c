/** Means that the command was called with invalid arguments. It exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
