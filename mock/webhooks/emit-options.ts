import { reference } from "../options/field-kinds.ts";
import { type FieldKind, requireShape } from "../options/shape.ts";
import type { EmitOptions } from "./webhooks.ts";

const EMIT_OPTIONS: Readonly<Record<keyof EmitOptions, FieldKind>> = { organization: reference };

/** Refuses options of `emit` that would leave the event with the default organization by mistake. */
export function checkEmitOptions(options: EmitOptions): void {
  requireShape("emit: options", options, EMIT_OPTIONS);
}
