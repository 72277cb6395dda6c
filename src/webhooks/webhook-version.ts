/** The version of an entry point, as far as webhooks depend on it. */
export interface WebhookVersion<Type extends string = string> {
  /** The name of the version: `YYYY-MM`. */
  readonly name: string;
  /** The event types that the version knows. */
  readonly types: readonly Type[];
}
