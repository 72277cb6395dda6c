import * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";

/** A moment in UTC, written `YYYY-MM-DDThh:mm:ss.ffffffZ` (ISO 8601, six digits of fraction). */
export type Timestamp = string;

export const TimestampSchema: Schema<Timestamp> = z.iso.datetime({ precision: 6 });
