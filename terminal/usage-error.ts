/** Thrown when the arguments of a command are invalid. The command then exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
