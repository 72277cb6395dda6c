import * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";
import {
  type InsufficientScope,
  InsufficientScopeSchema,
  type InvalidToken,
  InvalidTokenSchema,
  type NotFound,
  NotFoundSchema,
  type Unauthorized,
  UnauthorizedSchema,
} from "../models/error.ts";

/** The failures of every operation: no valid credential, no such version. */
export interface CommonFailures {
  401: Unauthorized | InvalidToken;
  404: NotFound;
}

export const commonFailures: { readonly [Status in keyof CommonFailures]: Schema<CommonFailures[Status]> } = {
  401: z.union([UnauthorizedSchema, InvalidTokenSchema]),
  404: NotFoundSchema,
};

/** The failures of an operation that needs a scope. */
export interface ScopedFailures extends CommonFailures {
  403: InsufficientScope;
}

export const scopedFailures: { readonly [Status in keyof ScopedFailures]: Schema<ScopedFailures[Status]> } = {
  ...commonFailures,
  403: InsufficientScopeSchema,
};
