import * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";
import { type ApiErrorGuard, isApiError as isAnyApiError } from "../../../src/errors/index.ts";
import {
  type HTTPValidationError,
  type InsufficientScope,
  InsufficientScopeSchema,
  type InvalidAuthorization,
  type InvalidToken,
  InvalidTokenSchema,
  type NotFound,
  NotFoundSchema,
  type ResourceNotFound,
  type Unauthorized,
  UnauthorizedSchema,
} from "../models/error.ts";

/** The error bodies of every operation, by status: an invalid credential or an unsupported version. */
export interface CommonFailures {
  401: Unauthorized | InvalidToken;
  404: NotFound;
}

/** Schemas of the error bodies of every operation. */
export const commonFailures: { readonly [Status in keyof CommonFailures]: Schema<CommonFailures[Status]> } = {
  401: z.union([UnauthorizedSchema, InvalidTokenSchema]),
  404: NotFoundSchema,
};

/** The error bodies of an operation that requires a scope, by status. */
export interface ScopedFailures extends CommonFailures {
  403: InsufficientScope;
}

/** Schemas of the error bodies of an operation that requires a scope. */
export const scopedFailures: { readonly [Status in keyof ScopedFailures]: Schema<ScopedFailures[Status]> } = {
  ...commonFailures,
  403: InsufficientScopeSchema,
};

/** All error bodies that the operations declare, by status. */
export interface ErrorBodies {
  400: InvalidAuthorization;
  401: Unauthorized | InvalidToken;
  403: InsufficientScope;
  404: ResourceNotFound | NotFound;
  422: HTTPValidationError;
}

/**
 * Returns whether a value is an {@link ApiError}, from any copy of the package. With a status, `body` has the type that
 * this version declares for it.
 *
 * @example
 * ```ts
 * try {
 *   await billing.events.ingest(events);
 * } catch (error) {
 *   if (!isApiError(error, 422)) throw error;
 *   for (const { loc, msg } of error.body?.detail ?? []) console.log(loc.join("."), msg);
 * }
 * ```
 */
export const isApiError: ApiErrorGuard<ErrorBodies> = isAnyApiError;
