import type { SchemasOf } from "./webhook-event.ts";

/** One secret or several, of which one must match. Undefined ones are ignored, for example an unset variable. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/** Options for `verifyWebhook`. Only `secret` is required. */
export interface VerifyOptions<Type extends string, Schemas extends SchemasOf<Type>> {
  /**
   * The secret of the endpoint, or several: those of several endpoints, or an old one next to its replacement. The scheme
   * is detected.
   */
  readonly secret: WebhookSecret;
  /** Schemas for `data`, by event type, from any library that implements Standard Schema. They also type `data`. */
  readonly schemas?: Schemas | undefined;
  /** Maximum difference between the time of signing and this machine's clock, in seconds. Defaults to 300. */
  readonly tolerance?: number | undefined;
  /** Maximum length of the body, in bytes. Defaults to 1 MiB (1,048,576). */
  readonly maxBodyBytes?: number | undefined;
  /** Other API versions that are allowed, for example while endpoints are upgraded. */
  readonly versions?: readonly string[] | undefined;
  /** Returns the current time. Defaults to the system clock. */
  readonly now?: (() => Date | number) | undefined;
}
