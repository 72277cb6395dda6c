/** Thrown by a handler when the id in the path does not exist. The response has status 404. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}
