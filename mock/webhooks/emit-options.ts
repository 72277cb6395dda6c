import { reference } from "../options/field-kinds.ts";
import { type FieldKind, requireShape } from "../options/shape.ts";

/** Options for `emit`. */
export interface EmitOptions {
  /** The organization whose endpoints receive the event, or its id. Defaults to the default organization. */
  readonly organization?: string | { readonly id: string } | undefined;
}

const EMIT_OPTIONS: Readonly<Record<keyof EmitOptions, FieldKind>> = { organization: reference };

/**
 * Checks the options of `emit`, so that a typo does not send the event to the default organization.
 *
 * @throws TypeError for an unknown or invalid option.
 */
export function requireEmitOptions(options: EmitOptions): void {
  requireShape("webhooks.emit: options", options, EMIT_OPTIONS);
}
